// Ports, flits and routing of a five-port mesh router (models/mesh/protocol.md).
//
// Flits are plain vectors with named bit positions, and functions assign to their name. Open
// synthesis tools support neither arrays of structures nor `return`.
package mesh_pkg;

  // No router uses all of it.
  /* verilator lint_off UNUSEDPARAM */
  /* verilator lint_off UNUSEDSIGNAL */

  localparam int PORTS = 5;  // local, and these:

  localparam logic [2:0] NORTH = 3'd1;  // towards larger y
  localparam logic [2:0] EAST = 3'd2;  // towards larger x
  localparam logic [2:0] SOUTH = 3'd3;
  localparam logic [2:0] WEST = 3'd4;

  localparam logic [1:0] ROUTE_XY = 2'd0;
  localparam logic [1:0] ROUTE_YX = 2'd1;
  localparam logic [1:0] ROUTE_WEST_FIRST = 2'd2;
  localparam logic [1:0] ROUTE_TABLE = 2'd3;

  // The routing table has a row for each router {y, x}, at most 16 x 16, at which a packet may
  // leave the mesh. A row has the outputs towards that router, for each input.
  localparam int ROWS = 256;
  localparam int ROW = PORTS * PORTS;

  // The part of a flit that routers use, {tail, head, vc, target}, and its bit positions.
  localparam int CONTROL = 24;
  localparam int TAIL = 23;
  localparam int HEAD = 22;
  localparam int VC_AT = 19;  // three bits
  // Target of a packet, {by, y, x}: it leaves router (x, y) through port `by`, local or at an edge
  // of the mesh.
  localparam int BY_AT = 16;
  localparam int Y_AT = 8;
  localparam int X_AT = 0;

  // The part of a flit that is carried only, {payload, age, packet}. The packet's number serves
  // checks. Smaller is older.
  localparam int DATA = 128;
  localparam int PAYLOAD_AT = 64;
  localparam int AGE_AT = 32;

  // The row of the routing table for a target.
  function automatic logic [7:0] row_of(input logic [CONTROL-1:0] control);
    row_of = {control[Y_AT+:4], control[X_AT+:4]};
  endfunction

  // The outputs that a head from input `from` may take at router (x, y); `row` is that of its
  // target.
  function automatic logic [PORTS-1:0] allowed_outputs(
      input logic [1:0] routing, input logic [7:0] x, input logic [7:0] y,
      input logic [CONTROL-1:0] control, input logic [ROW-1:0] row, input logic [2:0] from);
    logic [PORTS-1:0] horizontal;
    logic [PORTS-1:0] vertical;
    horizontal = '0;
    vertical = '0;
    horizontal[EAST] = control[X_AT+:8] > x;
    horizontal[WEST] = control[X_AT+:8] < x;
    vertical[NORTH] = control[Y_AT+:8] > y;
    vertical[SOUTH] = control[Y_AT+:8] < y;
    if ((horizontal | vertical) == '0) begin
      allowed_outputs = 5'b1 << control[BY_AT+:3];
    end else if (routing == ROUTE_XY) begin
      allowed_outputs = horizontal != '0 ? horizontal : vertical;
    end else if (routing == ROUTE_YX) begin
      allowed_outputs = vertical != '0 ? vertical : horizontal;
    end else if (routing == ROUTE_WEST_FIRST) begin
      allowed_outputs = horizontal[WEST] ? horizontal : horizontal | vertical;
    end else begin  // ROUTE_TABLE
      allowed_outputs = '0;
      for (int i = 0; i < PORTS; i++) begin
        if (from == 3'(i)) allowed_outputs = row[i*PORTS+:PORTS];
      end
    end
  endfunction

  // Modulo 2^32, for ages less than 2^31 apart.
  function automatic logic is_older(input logic [DATA-1:0] a, input logic [DATA-1:0] b);
    logic [31:0] difference;
    difference = a[AGE_AT+:32] - b[AGE_AT+:32];
    is_older = difference[31];
  endfunction

endpackage
