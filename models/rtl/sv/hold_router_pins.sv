// The hold router with one pin for each port.
module hold_router_pins (
    input  wire         clk,
    input  wire         rst,
    input  wire  [ 7:0] x,
    input  wire  [ 7:0] y,
    input  wire  [ 1:0] routing,
    input  wire         row_write,
    input  wire  [ 7:0] row_index,
    input  wire  [24:0] row,
    input  wire  [ 4:0] in_valid,
    output logic [ 4:0] in_ready,
    input  wire  [23:0] in_control [mesh_pkg::PORTS],
    input  wire  [127:0] in_data    [mesh_pkg::PORTS],
    output logic [ 4:0] out_valid,
    input  wire  [ 4:0] out_ready,
    output logic [23:0] out_control[mesh_pkg::PORTS],
    output logic [127:0] out_data   [mesh_pkg::PORTS]
);

  logic [mesh_pkg::PORTS*24-1:0] controls_in, controls_out;
  logic [mesh_pkg::PORTS*128-1:0] datas_in, datas_out;
  for (genvar p = 0; p < mesh_pkg::PORTS; p++) begin : port
    assign controls_in[p*24+:24] = in_control[p];
    assign datas_in[p*128+:128] = in_data[p];
    assign out_control[p] = controls_out[p*24+:24];
    assign out_data[p] = datas_out[p*128+:128];
  end

  hold_router router (
      .clk, .rst, .x, .y, .routing, .row_write, .row_index, .row,
      .in_valid, .in_ready, .in_control(controls_in), .in_data(datas_in),
      .out_valid, .out_ready, .out_control(controls_out), .out_data(datas_out)
  );

endmodule
