// A mesh router of a user: one flit at each input and at each output, routing first in x, then in y.
// Port numbers: 0 local, 1 north, 2 east, 3 south, 4 west. The parameters break the router on
// purpose.
module xy_router #(
    parameter int STUCK_INPUTS = 0,  // inputs that are never ready, a bit for each
    parameter int FLIP_OUTPUT = 7,   // output that flips a bit of each payload; 7 for none
    parameter int FLIP_BIT = 0
) (
    input  wire          clk,
    input  wire          rst,
    input  wire  [  7:0] x,
    input  wire  [  7:0] y,
    input  wire  [  4:0] in_valid,
    output logic [  4:0] in_ready,
    input  wire  [ 23:0] in_control [5],
    input  wire  [127:0] in_data    [5],
    output logic [  4:0] out_valid,
    input  wire  [  4:0] out_ready,
    output logic [ 23:0] out_control[5],
    output logic [127:0] out_data   [5]
);

  typedef struct packed {
    logic       tail;
    logic       head;
    logic [2:0] channel;
    logic [2:0] port;     // the packet leaves its last router by it
    logic [7:0] y;
    logic [7:0] x;
  } control_t;
  typedef struct packed {
    logic [63:0] payload;
    logic [31:0] age;
    logic [31:0] packet;
  } data_t;

  control_t arrived_control[5], leaving_control[5];
  data_t arrived_data[5], leaving_data[5];
  logic [4:0] has_arrived, is_leaving;
  logic [4:0] is_inside;  // outputs between the head and the tail of a packet
  logic [2:0] way[5];   // output of the packet at each input

  function automatic logic [2:0] route(input control_t control);
    if (control.x > x) return 3'd2;
    if (control.x < x) return 3'd4;
    if (control.y > y) return 3'd1;
    if (control.y < y) return 3'd3;
    return control.port;
  endfunction

  // An input asks for an output that is free. Each output takes the oldest flit, and of equal ones
  // that of the first input.
  logic [2:0] wanted[5], chosen[5];
  logic [4:0] asks, takes, leaves;
  logic [31:0] younger_by;
  always_comb begin
    takes = '0;
    leaves = '0;
    younger_by = '0;
    for (int i = 0; i < 5; i++) begin
      wanted[i] = arrived_control[i].head ? route(arrived_control[i]) : way[i];
      asks[i] = has_arrived[i] && !is_leaving[wanted[i]]
                && !(arrived_control[i].head && is_inside[wanted[i]]);
    end
    for (int o = 0; o < 5; o++) begin
      chosen[o] = 3'd0;
      for (int i = 0; i < 5; i++) begin
        younger_by = arrived_data[i].age - arrived_data[chosen[o]].age;
        if (asks[i] && wanted[i] == 3'(o) && (!takes[o] || younger_by[31])) begin
          takes[o] = 1'b1;
          chosen[o] = 3'(i);
        end
      end
      if (takes[o]) leaves[chosen[o]] = 1'b1;
    end
  end

  data_t sent;
  always_comb begin
    in_ready = (~has_arrived | leaves) & ~5'(STUCK_INPUTS);
    out_valid = is_leaving | takes;
    for (int o = 0; o < 5; o++) begin
      out_control[o] = takes[o] ? arrived_control[chosen[o]] : leaving_control[o];
      sent = takes[o] ? arrived_data[chosen[o]] : leaving_data[o];
      if (o == FLIP_OUTPUT && takes[o]) sent.payload[FLIP_BIT] = !sent.payload[FLIP_BIT];
      out_data[o] = sent;
    end
  end

  always_ff @(posedge clk) begin
    has_arrived <= (has_arrived & ~leaves) | (in_valid & in_ready);
    is_leaving <= out_valid & ~out_ready;
    for (int p = 0; p < 5; p++) begin
      if (in_valid[p] && in_ready[p]) begin
        arrived_control[p] <= in_control[p];
        arrived_data[p] <= in_data[p];
      end
      leaving_control[p] <= out_control[p];
      leaving_data[p] <= out_data[p];
      if (takes[p]) begin
        way[chosen[p]] <= 3'(p);
        is_inside[p] <= !arrived_control[chosen[p]].tail;
      end
    end
    if (rst) begin
      has_arrived <= '0;
      is_leaving <= '0;
      is_inside <= '0;
    end
  end

endmodule
