// Barrier of the ranks of a channel, as a part of the memory controller. It receives the ranks'
// request lines and sends PIM words on the command/address bus when no normal command uses the
// slot.
//
// broadcasts = 0: one word to all ranks once every rank has arrived. broadcasts = 1: one word for
// every rank.
module ca_barrier #(
    parameter int RANKS = 8,
    parameter int MAX_REQUEST = 32
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               broadcasts,
    input  wire  [ 5:0]       request_cycles,  // 1 to MAX_REQUEST: delay of a request line
    input  wire  [RANKS-1:0]  present,
    input  wire  [RANKS-1:0]  arrive,          // for one cycle
    input  wire               ca_busy,         // a normal command has the slot
    output logic              ca_valid,        // this slot is a PIM word,
    output logic [RANKS-1:0]  ca_select,       // to these ranks,
    output logic [17:0]       ca_payload,
    output logic              released,        // all ranks may continue in this cycle
    output logic              twice            // a rank arrived again before the barrier was over
);

  localparam logic [1:0] KIND_ARRIVED = 2'd1;
  localparam logic [1:0] KIND_RELEASE = 2'd2;

  logic [MAX_REQUEST-1:0] line[RANKS];  // bit k: arrived k + 1 cycles ago
  logic [RANKS-1:0] seen /*verilator public_flat_rd*/;    // arrived, received or not
  logic [RANKS-1:0] waiting /*verilator public_flat_rd*/; // received, word not sent yet
  logic [RANKS-1:0] spoken;  // received, word sent (broadcasts)

  logic [RANKS-1:0] heard_now;
  logic [RANKS-1:0] pending;
  always_comb begin
    for (int r = 0; r < RANKS; r++) heard_now[r] = line[r][5'(request_cycles - 6'd1)];
    pending = waiting | heard_now;
  end

  logic [RANKS-1:0] chosen;  // rank that sends the word
  logic [RANKS-1:0] spoken_now;
  logic last;
  always_comb begin
    chosen = '0;
    ca_payload = '0;
    ca_select = '0;
    if (broadcasts) begin
      for (int r = RANKS - 1; r >= 0; r--) begin
        if (pending[r]) begin
          chosen = RANKS'(1) << r;
          ca_payload = {KIND_ARRIVED, 16'(r)};
        end
      end
      ca_valid = (pending != '0) && !ca_busy;
      ca_select = present & ~chosen;
    end else begin
      chosen = pending;
      ca_payload = {KIND_RELEASE, 16'd0};
      ca_valid = (pending == present) && (present != '0) && !ca_busy;
      ca_select = present;
    end
    spoken_now = ca_valid ? spoken | chosen : spoken;
    last = ca_valid && (spoken_now == present);
  end

  always_ff @(posedge clk) begin
    for (int r = 0; r < RANKS; r++) line[r] <= {line[r][MAX_REQUEST-2:0], arrive[r] & present[r]};
    waiting <= ca_valid ? pending & ~chosen : pending;
    spoken <= last ? '0 : spoken_now;
    seen <= (last ? '0 : seen) | (arrive & present);
    released <= last;
    twice <= twice | ((arrive & seen & ~(last ? present : '0)) != '0);
    if (rst) begin
      for (int r = 0; r < RANKS; r++) line[r] <= '0;
      waiting <= '0;
      spoken <= '0;
      seen <= '0;
      released <= 1'b0;
      twice <= 1'b0;
    end
  end

endmodule
