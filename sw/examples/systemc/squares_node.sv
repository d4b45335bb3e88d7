// An accelerator of a user at a NoC node: it adds the squares of the 32-bit words that arrive below
// 0x1000. A write of 0x1000 makes it write the sum to 0x8004 of tile (1,1), and 1 behind it.
module squares_node (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output logic        in_ready,
    input  wire  [63:0] in_addr,
    input  wire  [63:0] in_wdata,
    input  wire  [ 7:0] in_wstrb,
    output logic        in_rsp_valid,
    output logic [63:0] in_rsp_rdata,
    output logic        out_valid,
    input  wire         out_ready,
    output logic [63:0] out_addr,
    output logic [63:0] out_wdata,
    output logic [ 7:0] out_wstrb,
    input  wire         out_rsp_valid,
    input  wire         out_rsp_error,
    input  wire  [63:0] out_rsp_rdata,
    output logic        busy
);

  // Board::noc_address(1, 1, 0x8000): the offset, x from bit 36 on and y from bit 42 on.
  localparam logic [63:0] MAILBOX = 64'h0000_0410_0000_8000;
  typedef enum logic [1:0] {REST, SEND_SUM, SEND_END, WAIT} state_t;
  state_t state;
  logic [31:0] sum;
  logic [1:0] open;  // requests without a response

  function automatic logic [31:0] square(input logic [31:0] word, input logic is_written);
    return is_written ? word * word : '0;
  endfunction

  always_comb begin
    in_ready = state == REST && !in_rsp_valid;
    in_rsp_rdata = {32'd0, sum};
    out_valid = state == SEND_SUM || state == SEND_END;
    out_addr = MAILBOX + (state == SEND_END ? 64'd8 : 64'd0);
    out_wdata = state == SEND_END ? 64'd1 : {sum, 32'd0};
    out_wstrb = state == SEND_END ? 8'h0F : 8'hF0;
    busy = state != REST;
  end

  always_ff @(posedge clk) begin
    in_rsp_valid <= in_valid && in_ready;
    if (in_valid && in_ready && in_wstrb != 0) begin
      if (!in_addr[12]) begin
        sum <= sum + square(in_wdata[31:0], in_wstrb[0]) + square(in_wdata[63:32], in_wstrb[4]);
      end else if (!in_addr[3]) begin
        state <= SEND_SUM;
      end
    end
    if (out_valid && out_ready) state <= state == SEND_SUM ? SEND_END : WAIT;
    open <= open + {1'b0, out_valid && out_ready} - {1'b0, out_rsp_valid};
    if (state == WAIT && open == 0) state <= REST;
    if (rst) begin
      in_rsp_valid <= 1'b0;
      state <= REST;
      sum <= '0;
      open <= '0;
    end
  end

endmodule
