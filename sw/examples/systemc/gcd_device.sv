// A device of a user: the greatest common divisor of two words, one subtraction in a cycle.
// Registers: 0x0 a; 0x4 b, whose write starts; 0x8 busy; 0xC result.
module gcd_device (
    input  wire         clk,
    input  wire         rst,
    input  wire         valid,
    output logic        ready,
    input  wire  [31:0] addr,
    input  wire  [31:0] wdata,
    input  wire  [ 3:0] wstrb,
    output logic [31:0] rdata
);

  logic [31:0] a, b;
  logic waited;  // each access takes two cycles

  always_comb begin
    ready = valid && waited;
    case (addr[3:2])
      2'd0: rdata = a;
      2'd1: rdata = b;
      2'd2: rdata = {31'd0, b != 0};
      default: rdata = a;
    endcase
  end

  always_ff @(posedge clk) begin
    waited <= valid && !waited;
    if (b > a) begin
      a <= b;
      b <= a;
    end else if (b != 0) begin
      a <= a - b;
    end
    if (valid && ready && wstrb == 4'hF) begin
      if (addr[3:2] == 2'd0) a <= wdata;
      if (addr[3:2] == 2'd1) b <= wdata;
    end
    if (rst) begin
      waited <= 1'b0;
      b <= '0;
    end
  end

endmodule
