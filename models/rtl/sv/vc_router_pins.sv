// The router with virtual channels, with one pin for each port.
module vc_router_pins (
    input  wire         clk,
    input  wire         rst,
    input  wire  [ 7:0] x,
    input  wire  [ 7:0] y,
    input  wire  [ 1:0] routing,
    input  wire         row_write,
    input  wire  [ 7:0] row_index,
    input  wire  [24:0] row,
    input  wire  [ 4:0] endpoints,
    input  wire  [ 4:0] in_valid,
    input  wire  [23:0] in_control   [mesh_pkg::PORTS],
    input  wire  [127:0] in_data      [mesh_pkg::PORTS],
    output logic [ 4:0] out_valid,
    output logic [23:0] out_control  [mesh_pkg::PORTS],
    output logic [127:0] out_data     [mesh_pkg::PORTS],
    input  wire  [ 4:0] credit_in,
    input  wire  [ 2:0] credit_in_vc [mesh_pkg::PORTS],
    output logic [ 4:0] credit_out,
    output logic [ 2:0] credit_out_vc[mesh_pkg::PORTS],
    output logic        overflow
);

  logic [mesh_pkg::PORTS*24-1:0] controls_in, controls_out;
  logic [mesh_pkg::PORTS*128-1:0] datas_in, datas_out;
  logic [mesh_pkg::PORTS*3-1:0] vcs_in, vcs_out;
  for (genvar p = 0; p < mesh_pkg::PORTS; p++) begin : port
    assign controls_in[p*24+:24] = in_control[p];
    assign datas_in[p*128+:128] = in_data[p];
    assign vcs_in[p*3+:3] = credit_in_vc[p];
    assign out_control[p] = controls_out[p*24+:24];
    assign out_data[p] = datas_out[p*128+:128];
    assign credit_out_vc[p] = vcs_out[p*3+:3];
  end

  vc_router router (
      .clk, .rst, .x, .y, .routing, .row_write, .row_index, .row, .endpoints,
      .in_valid, .in_control(controls_in), .in_data(datas_in),
      .out_valid, .out_control(controls_out), .out_data(datas_out),
      .credit_in, .credit_in_vc(vcs_in), .credit_out, .credit_out_vc(vcs_out), .overflow
  );

endmodule
