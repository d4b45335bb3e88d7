// A node with a memory of 512 words, and three registers behind it. A write of 0x2000 (the value)
// makes the node write value + 1 to the address in 0x2008, and read it back into 0x2010.
module copy_node #(
    parameter int SILENT = 0  // 1: takes requests and never answers
) (
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

  typedef enum logic [2:0] {REST, WRITE, WRITTEN, READ, READING} state_t;
  state_t state;
  logic [63:0] words[512];
  logic [63:0] value, address, copy;
  logic [15:0] lfsr;
  logic answering;

  always_comb begin
    in_ready = !answering && lfsr[0];
    in_rsp_valid = answering && lfsr[1] && SILENT == 0;
    out_valid = state == WRITE || state == READ;
    out_addr = address;
    out_wdata = value + 64'd1;
    out_wstrb = state == WRITE ? 8'hFF : 8'h00;
    busy = state != REST;
  end

  always_ff @(posedge clk) begin
    lfsr <= {lfsr[14:0], lfsr[15] ^ lfsr[13] ^ lfsr[12] ^ lfsr[10]};
    if (in_valid && in_ready) begin
      answering <= 1'b1;
      in_rsp_rdata <= in_addr[13] ? copy : words[in_addr[11:3]];
      if (in_addr[13]) begin
        if (in_wstrb != 0 && in_addr[4:3] == 2'd0) begin
          value <= in_wdata;
          state <= WRITE;
        end
        if (in_wstrb != 0 && in_addr[4:3] == 2'd1) address <= in_wdata;
      end else begin
        for (int i = 0; i < 8; i++) begin
          if (in_wstrb[i]) words[in_addr[11:3]][i*8+:8] <= in_wdata[i*8+:8];
        end
      end
    end
    if (in_rsp_valid) answering <= 1'b0;
    if (out_valid && out_ready) state <= state == WRITE ? WRITTEN : READING;
    if (out_rsp_valid) begin
      state <= state == WRITTEN ? READ : REST;
      if (state == READING) copy <= out_rsp_error ? '1 : out_rsp_rdata;
    end
    if (rst) begin
      lfsr <= 16'hACE1;
      answering <= 1'b0;
      state <= REST;
      copy <= '0;
    end
  end

endmodule
