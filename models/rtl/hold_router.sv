// A router that holds one flit at each input and one at each output; valid and ready between
// routers. Straps x, y and routing stay as they are after reset, and so does the routing table.
module hold_router
  import mesh_pkg::*;
(
    input  wire         clk,
    input  wire         rst,
    input  wire  [ 7:0] x,
    input  wire  [ 7:0] y,
    input  wire  [ 1:0] routing,
    input  wire         row_write,  // under reset: a row of the routing table
    input  wire  [ 7:0] row_index,
    input  wire  [24:0] row,
    input  wire  [ 4:0] in_valid,
    output logic [ 4:0] in_ready,
    input  wire  [23:0] in_control [PORTS],
    input  wire  [63:0] in_data    [PORTS],
    output logic [ 4:0] out_valid,
    input  wire  [ 4:0] out_ready,
    output logic [23:0] out_control[PORTS],
    output logic [63:0] out_data   [PORTS]
);

  // Registers.
  logic [PORTS-1:0] held /*verilator public_flat_rd*/;     // an input has a flit
  logic [PORTS-1:0] sending;  // an output has one
  control_t held_control[PORTS];
  data_t held_data[PORTS];
  control_t sending_control[PORTS];
  data_t sending_data[PORTS];
  logic [2:0] output_of[PORTS];  // of the packet at an input, behind its head
  logic [PORTS-1:0] owned /*verilator public_flat_rd*/;       // an output is inside a packet
  row_t rows[ROWS];  // routing table

  // The output that each input asks for.
  logic [PORTS-1:0] asks;
  logic [2:0] asked[PORTS];
  logic [PORTS-1:0] free_outputs;
  always_comb begin
    for (int i = 0; i < PORTS; i++) begin
      asks[i] = 1'b0;
      asked[i] = output_of[i];
      free_outputs = '0;
      if (held[i] && held_control[i].head) begin
        // The first allowed output that no packet is in.
        free_outputs = allowed_outputs(routing_e'(routing), x, y, held_control[i].target,
                                       rows[{held_control[i].target.y[3:0],
                                             held_control[i].target.x[3:0]}], 3'(i))
            & ~sending & ~owned;
        for (int o = PORTS - 1; o >= 0; o--) begin
          if (free_outputs[o]) begin
            asks[i] = 1'b1;
            asked[i] = 3'(o);
          end
        end
      end else if (held[i]) begin
        asks[i] = !sending[output_of[i]];
      end
    end
  end

  // Each output takes the oldest; of equal ages the one at the first input.
  logic [PORTS-1:0] takes;
  logic [2:0] winner[PORTS];
  logic older;
  always_comb begin
    for (int o = 0; o < PORTS; o++) begin
      takes[o] = 1'b0;
      winner[o] = 3'd0;
      older = 1'b0;
      for (int i = 0; i < PORTS; i++) begin
        if (asks[i] && asked[i] == 3'(o)) begin
          older = is_older(held_data[i].age, held_data[winner[o]].age);
          if (!takes[o] || older) winner[o] = 3'(i);
          takes[o] = 1'b1;
        end
      end
    end
  end

  logic [PORTS-1:0] leaves;  // an input's flit goes to an output
  always_comb begin
    leaves = '0;
    for (int o = 0; o < PORTS; o++) if (takes[o]) leaves[winner[o]] = 1'b1;
  end

  assign out_valid = sending | takes;
  assign in_ready  = ~held | leaves;
  always_comb begin
    for (int o = 0; o < PORTS; o++) begin
      out_control[o] = takes[o] ? held_control[winner[o]] : sending_control[o];
      out_data[o] = takes[o] ? held_data[winner[o]] : sending_data[o];
    end
  end

  always_ff @(posedge clk) if (row_write) rows[row_index] <= row;

  always_ff @(posedge clk) begin
    held <= (held & ~leaves) | (in_valid & in_ready);
    sending <= out_valid & ~out_ready;
    for (int p = 0; p < PORTS; p++) begin
      if (in_valid[p] && in_ready[p]) begin
        held_control[p] <= in_control[p];
        held_data[p] <= in_data[p];
      end
      sending_control[p] <= out_control[p];
      sending_data[p] <= out_data[p];
      if (takes[p]) begin
        output_of[winner[p]] <= 3'(p);
        owned[p] <= !held_control[winner[p]].tail;
      end
    end
    if (rst) begin
      held <= '0;
      sending <= '0;
      owned <= '0;
    end
  end

endmodule
