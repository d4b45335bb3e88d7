// A memory of 1024 words with random wait states.
module ram_device #(
    parameter int FIXED_WAITS = -1,  // wait states of each access; -1: random
    parameter int STUCK = 0          // 1: never ready
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         valid,
    output logic        ready,
    input  wire  [31:0] addr,
    input  wire  [31:0] wdata,
    input  wire  [ 3:0] wstrb,
    output logic [31:0] rdata
);

  logic [31:0] words[1024];
  logic [15:0] lfsr;
  logic [ 7:0] waits;

  always_comb begin
    ready = valid && STUCK == 0 && (FIXED_WAITS < 0 ? lfsr[1:0] == 2'd0 : waits == 8'(FIXED_WAITS));
    rdata = words[addr[11:2]];
  end

  always_ff @(posedge clk) begin
    lfsr <= {lfsr[14:0], lfsr[15] ^ lfsr[13] ^ lfsr[12] ^ lfsr[10]};
    waits <= valid && !ready ? waits + 8'd1 : 8'd0;
    if (valid && ready) begin
      for (int i = 0; i < 4; i++) begin
        if (wstrb[i]) words[addr[11:2]][i*8+:8] <= wdata[i*8+:8];
      end
    end
    if (rst) begin
      lfsr  <= 16'hACE1;
      waits <= 8'd0;
    end
  end

endmodule
