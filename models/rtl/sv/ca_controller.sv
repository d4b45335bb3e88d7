// The controller of a channel's command/address bus (ddr::CaBus, ddr::RankControl): it gives slots
// to normal commands and PIM words, drives the pins, and joins the ranks at barriers.
//
// A request names its first cycle of CK at the earliest (`delay`, counted from the present one).
// `start` is the first cycle from which enough consecutive slots are free, and answers at once. With
// `take`, the slots are taken. Requests are served in the order in which they come. A later request
// may get slots before those that an earlier one has in advance.
//
// A message of PIM words is one request. An arrival of a rank at a barrier (`arrive`) reaches the
// controller `request_cycles` later. broadcasts = 0: one word releases the ranks of the group after
// the last arrival, if `releases` is set. broadcasts = 1: each arrival takes a word to the others.
// `all` says that the rank is the last one. `known` is the cycle in which all may continue. Without
// `releases`, it is the cycle in which the controller knows of all arrivals.
//
// `tick` marks the edges of clk that are also edges of CK. Requests come between them.
module ca_controller #(
    parameter int RANKS = 8,
    parameter int SLOTS = 1024,  // slots that can be taken in advance
    parameter int GROUPS = 8     // groups of ranks at barriers
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      tick,
    input  wire                      take,            // not with tick
    // Straps.
    input  wire  [              1:0] activate_slots,
    input  wire  [              1:0] column_slots,
    input  wire  [              1:0] other_slots,
    input  wire  [$clog2(SLOTS)-1:0] request_cycles,
    // The request.
    input  wire  [              3:0] command,         // ddr::CaCommand
    input  wire  [        RANKS-1:0] ranks,           // chip selects; of an arrival, its group
    input  wire  [             17:0] operand,         // row, column, or payload of the first word
    input  wire  [              1:0] group,
    input  wire  [              1:0] bank,
    input  wire  [              6:0] words,           // words of a PIM command
    input  wire  [$clog2(SLOTS)-1:0] delay,
    input  wire                      arrive,
    input  wire  [$clog2(RANKS)-1:0] rank,
    input  wire  [$clog2(GROUPS)-1:0] gathering,
    input  wire                      broadcasts,
    input  wire                      releases,
    // The answer.
    output logic [$clog2(SLOTS)-1:0] start,
    output logic                     fits,            // false: not in the next SLOTS cycles
    output logic                     all,
    output logic [  $clog2(SLOTS):0] known,
    output logic [  $clog2(SLOTS):0] wanted,          // the first cycle that the request may have
    output logic                     speaks,          // it takes slots
    output logic                     wrong,           // the rank is not of the group, or twice
    output logic                     idle,
    // The bus.
    output logic [        RANKS-1:0] cs_n,
    output logic                     act_n,
    output logic                     ras_n,
    output logic                     cas_n,
    output logic                     we_n,
    output logic [             13:0] address,
    output logic [              1:0] bank_group,
    output logic [              1:0] bank_address
);

  localparam int TIME = $clog2(SLOTS);
  localparam int RUN = 7;  // bits of a number of slots

  localparam logic [3:0] DESELECT = 4'd0;
  localparam logic [3:0] MODE_REGISTER_SET = 4'd1;
  localparam logic [3:0] REFRESH = 4'd2;
  localparam logic [3:0] PRECHARGE = 4'd3;
  localparam logic [3:0] PRECHARGE_ALL = 4'd4;
  localparam logic [3:0] PIM = 4'd5;
  localparam logic [3:0] WRITE = 4'd6;
  localparam logic [3:0] WRITE_AUTO = 4'd7;
  localparam logic [3:0] READ = 4'd8;
  localparam logic [3:0] READ_AUTO = 4'd9;
  localparam logic [3:0] ZQ_SHORT = 4'd10;
  localparam logic [3:0] ZQ_LONG = 4'd11;
  localparam logic [3:0] ACTIVATE = 4'd13;

  localparam logic [1:0] KIND_ARRIVED = 2'd1;
  localparam logic [1:0] KIND_RELEASE = 2'd2;

  // Bit k: k cycles from now. A request takes a run of slots, of which only the first has `first`.
  logic [SLOTS-1:0] taken;
  logic [SLOTS-1:0] first;

  // --- Barriers -----------------------------------------------------------------------------
  logic [RANKS-1:0] arrived[GROUPS] /*verilator public_flat_rd*/;
  logic [TIME:0] latest[GROUPS];  // cycles until the latest word or request of the group

  logic [RANKS-1:0] arrived_now;
  logic [TIME:0] heard;
  logic [TIME:0] latest_now;
  assign arrived_now = arrived[gathering] | RANKS'(1) << rank;
  assign all = arrive && arrived_now == ranks;
  assign wrong = arrive && (!ranks[rank] || arrived[gathering][rank]);
  assign speaks = !arrive || broadcasts || (all && releases);
  assign heard = broadcasts ? {1'b0, start} + 1'b1 : {1'b0, delay} + {1'b0, request_cycles};
  assign latest_now = latest[gathering] > heard ? latest[gathering] : heard;
  assign known = releases && !broadcasts ? {1'b0, start} + 1'b1 : latest_now;

  // --- Slots --------------------------------------------------------------------------------
  logic [RUN-1:0] count;  // slots of the request
  logic [TIME:0] earliest;
  always_comb begin
    if (arrive) begin
      count = RUN'(other_slots);
      earliest = {1'b0, delay} + {1'b0, request_cycles};
      if (!broadcasts && latest[gathering] > earliest) earliest = latest[gathering];
    end else begin
      earliest = {1'b0, delay};
      case (command)
        DESELECT: count = '0;
        ACTIVATE: count = RUN'(activate_slots);
        READ, READ_AUTO, WRITE, WRITE_AUTO: count = RUN'(column_slots);
        PIM: count = other_slots[1] ? words << 1 : words;
        default: count = RUN'(other_slots);
      endcase
    end
  end

  assign wanted = earliest;

  // Bit k of `blocked`: of the slots k to k + count - 1 one is taken or too late.
  logic [SLOTS-1:0] blocked;
  always_comb begin
    logic [SLOTS-1:0] run;  // the same for a power of two
    logic [RUN-1:0] below;
    blocked = '0;
    run = taken;
    below = '0;
    for (int b = 0; b < RUN; b++) begin
      if (count[b]) begin
        blocked = blocked | run >> below;
        below = below | RUN'(1) << b;
      end
      run = run | run >> (1 << b);
    end
    if (count != '0) blocked = blocked | ~({SLOTS{1'b1}} >> (count - 1'b1));
    blocked = blocked | ~({SLOTS{1'b1}} << earliest);
  end

  logic [SLOTS-1:0] chosen;  // the first slot of the run
  assign chosen = ~blocked & (blocked + SLOTS'(1));
  assign fits   = chosen != '0;
  always_comb begin
    start = '0;
    for (int b = 0; b < TIME; b++) begin
      for (int k = 0; k < SLOTS; k++) begin
        if (k[b]) start[b] = start[b] | chosen[k];
      end
    end
  end

  logic [SLOTS-1:0] run_taken;
  assign run_taken = ~({SLOTS{1'b1}} << count) << start;
  always_comb begin
    idle = taken == '0;
    for (int g = 0; g < GROUPS; g++) if (latest[g] != '0) idle = 1'b0;
  end

  // --- Commands that wait for their slots ---------------------------------------------------
  localparam int ENTRY = 4 + RANKS + 18 + 4;
  logic [ENTRY-1:0] waiting[SLOTS];
  logic [TIME-1:0] present;  // place of the present slot
  logic [ENTRY-1:0] entry;   // the request's
  always_comb begin
    entry = {command, ranks, operand, group, bank};
    if (arrive && broadcasts) begin
      entry = {PIM, ranks & ~(RANKS'(1) << rank), KIND_ARRIVED, 16'(rank), 4'd0};
    end else if (arrive) begin
      entry = {PIM, ranks, KIND_RELEASE, 16'd0, 4'd0};
    end
  end

  // The present command, and the number of the slot in it.
  logic [ENTRY-1:0] last;
  logic [RUN-1:0] last_slot;
  logic [ENTRY-1:0] driven;
  logic [RUN-1:0] slot;
  assign driven = first[0] ? waiting[present] : last;
  assign slot   = first[0] ? '0 : last_slot + 1'b1;

  // --- Pins (DDR4 command truth table) ------------------------------------------------------
  logic [3:0] driven_command;
  logic [RANKS-1:0] driven_ranks;
  logic [16:0] driven_operand;
  logic a10;
  logic unused;  // the 18th bit of a payload is on a bank pin
  assign {driven_command, driven_ranks, unused, driven_operand, bank_group, bank_address} =
      taken[0] ? pins_of(driven, slot) : '0;
  always_comb begin
    cs_n = ~driven_ranks;
    act_n = driven_command != ACTIVATE;
    a10 = 1'b0;
    {ras_n, cas_n, we_n} = 3'b111;
    address = driven_operand[13:0];
    case (driven_command)
      MODE_REGISTER_SET: {ras_n, cas_n, we_n} = 3'b000;
      REFRESH: {ras_n, cas_n, we_n} = 3'b001;
      PRECHARGE: {ras_n, cas_n, we_n} = 3'b010;
      PRECHARGE_ALL: {a10, ras_n, cas_n, we_n} = 4'b1010;
      PIM: {ras_n, cas_n, we_n} = 3'b011;
      WRITE: {ras_n, cas_n, we_n} = 3'b100;
      WRITE_AUTO: {a10, ras_n, cas_n, we_n} = 4'b1100;
      READ: {ras_n, cas_n, we_n} = 3'b101;
      READ_AUTO: {a10, ras_n, cas_n, we_n} = 4'b1101;
      ZQ_SHORT: {ras_n, cas_n, we_n} = 3'b110;
      ZQ_LONG: {a10, ras_n, cas_n, we_n} = 4'b1110;
      ACTIVATE: {ras_n, cas_n, we_n} = driven_operand[16:14];
      default: ;
    endcase
    if (driven_command != ACTIVATE && driven_command != PIM) address[10] = a10;
  end

  // The pins in a slot of a command. A PIM word has its bank pins from the payload, and later words
  // of a message have their number. The second slot of a normal command has no chip select.
  function automatic logic [ENTRY-1:0] pins_of(input logic [ENTRY-1:0] of,
                                               input logic [RUN-1:0] number);
    logic [17:0] payload;
    pins_of = of;
    payload = number == '0 ? of[21:4] : 18'(number);
    if (of[ENTRY-1-:4] == PIM) begin
      pins_of[21:0] = {payload, payload[15:14], payload[17:16]};
    end else if (number != '0) begin
      pins_of = '0;
    end
  endfunction

  always_ff @(posedge clk) begin
    if (rst) begin
      taken <= '0;
      first <= '0;
      present <= '0;
      last <= '0;
      last_slot <= '0;
      for (int g = 0; g < GROUPS; g++) begin
        arrived[g] <= '0;
        latest[g]  <= '0;
      end
    end else if (tick) begin
      taken <= taken >> 1;
      first <= first >> 1;
      present <= present + 1'b1;
      last <= driven;
      last_slot <= slot;
      for (int g = 0; g < GROUPS; g++) if (latest[g] != '0) latest[g] <= latest[g] - 1'b1;
    end else if (take) begin
      if (speaks && count != '0) begin
        taken <= taken | run_taken;
        first <= first | chosen;
        waiting[present+start] <= entry;
      end
      if (arrive) begin
        arrived[gathering] <= all ? '0 : arrived_now;
        latest[gathering]  <= all ? '0 : latest_now;
      end
    end
  end

endmodule
