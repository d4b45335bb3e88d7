// A router that holds one flit at each input and one at each output, with valid and ready between
// routers. Straps x, y and routing are constant after reset, and so is the routing table. Port p
// uses in_*[p * width +: width] and out_*[p * width +: width].
module hold_router (
    input  wire                                         clk,
    input  wire                                         rst,
    input  wire  [                                 7:0] x,
    input  wire  [                                 7:0] y,
    input  wire  [                                 1:0] routing,
    input  wire                                         row_write,  // under reset: a row of the table
    input  wire  [                                 7:0] row_index,
    input  wire  [                   mesh_pkg::ROW-1:0] row,
    input  wire  [                 mesh_pkg::PORTS-1:0] in_valid,
    output logic [                 mesh_pkg::PORTS-1:0] in_ready,
    input  wire  [mesh_pkg::PORTS*mesh_pkg::CONTROL-1:0] in_control,
    input  wire  [   mesh_pkg::PORTS*mesh_pkg::DATA-1:0] in_data,
    output logic [                 mesh_pkg::PORTS-1:0] out_valid,
    input  wire  [                 mesh_pkg::PORTS-1:0] out_ready,
    output logic [mesh_pkg::PORTS*mesh_pkg::CONTROL-1:0] out_control,
    output logic [   mesh_pkg::PORTS*mesh_pkg::DATA-1:0] out_data
);

  localparam int PORTS = mesh_pkg::PORTS;
  localparam int CONTROL = mesh_pkg::CONTROL;
  localparam int DATA = mesh_pkg::DATA;

  logic [PORTS-1:0] held /*verilator public_flat_rd*/;     // an input has a flit
  logic [PORTS-1:0] sending;  // an output has one
  logic [CONTROL-1:0] held_control[PORTS];
  logic [DATA-1:0] held_data[PORTS];
  logic [CONTROL-1:0] sending_control[PORTS];
  logic [DATA-1:0] sending_data[PORTS];
  logic [2:0] output_of[PORTS];  // output of the packet at each input
  logic [PORTS-1:0] owned /*verilator public_flat_rd*/;       // an output is inside a packet
  logic [mesh_pkg::ROW-1:0] rows[mesh_pkg::ROWS];  // routing table

  // The output that each input requests.
  logic [PORTS-1:0] asks;
  logic [2:0] asked[PORTS];
  logic [PORTS-1:0] free_outputs;
  always_comb begin
    free_outputs = '0;
    for (int i = 0; i < PORTS; i++) begin
      asks[i] = 1'b0;
      asked[i] = output_of[i];
      free_outputs = mesh_pkg::allowed_outputs(routing, x, y, held_control[i],
                                               rows[mesh_pkg::row_of(held_control[i])], 3'(i))
          & ~sending & ~owned;
      if (held[i] && held_control[i][mesh_pkg::HEAD]) begin
        // The first allowed output that is not inside a packet.
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

  // Each output takes the oldest flit; the first input wins a tie.
  logic [PORTS-1:0] takes;
  logic [2:0] winner[PORTS];
  logic [DATA-1:0] oldest;
  always_comb begin
    oldest = '0;
    for (int o = 0; o < PORTS; o++) begin
      takes[o] = 1'b0;
      winner[o] = 3'd0;
      for (int i = 0; i < PORTS; i++) begin
        if (asks[i] && asked[i] == 3'(o)) begin
          if (!takes[o] || mesh_pkg::is_older(held_data[i], oldest)) begin
            winner[o] = 3'(i);
            oldest = held_data[i];
          end
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
      out_control[o*CONTROL+:CONTROL] = takes[o] ? held_control[winner[o]] : sending_control[o];
      out_data[o*DATA+:DATA] = takes[o] ? held_data[winner[o]] : sending_data[o];
    end
  end

  always_ff @(posedge clk) if (row_write) rows[row_index] <= row;

  always_ff @(posedge clk) begin
    held <= (held & ~leaves) | (in_valid & in_ready);
    sending <= out_valid & ~out_ready;
    for (int p = 0; p < PORTS; p++) begin
      if (in_valid[p] && in_ready[p]) begin
        held_control[p] <= in_control[p*CONTROL+:CONTROL];
        held_data[p] <= in_data[p*DATA+:DATA];
      end
      sending_control[p] <= out_control[p*CONTROL+:CONTROL];
      sending_data[p] <= out_data[p*DATA+:DATA];
      if (takes[p]) begin
        output_of[winner[p]] <= 3'(p);
        owned[p] <= !held_control[winner[p]][mesh_pkg::TAIL];
      end
    end
    if (rst) begin
      held <= '0;
      sending <= '0;
      owned <= '0;
    end
  end

endmodule
