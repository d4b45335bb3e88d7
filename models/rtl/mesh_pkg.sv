// Ports, flits and routing of a five-port mesh router (models/mesh/protocol.md).
package mesh_pkg;

  localparam int PORTS = 5;

  typedef enum logic [2:0] {
    LOCAL = 3'd0,
    NORTH = 3'd1,  // towards larger y
    EAST  = 3'd2,  // towards larger x
    SOUTH = 3'd3,
    WEST  = 3'd4
  } port_e;

  typedef enum logic [1:0] {
    ROUTE_XY         = 2'd0,
    ROUTE_YX         = 2'd1,
    ROUTE_WEST_FIRST = 2'd2,
    ROUTE_TABLE      = 2'd3
  } routing_e;

  // A routing table has a row for each router {y, x} of at most 16 x 16 that a packet may leave the
  // mesh at: for each input the outputs that lead there.
  localparam int ROWS = 256;
  typedef logic [PORTS*PORTS-1:0] row_t;

  // Where a packet goes: it leaves router (x, y) by that port, local or at an edge of the mesh.
  typedef struct packed {
    logic [2:0] by;
    logic [7:0] y;
    logic [7:0] x;
  } target_t;

  // What the routers look at.
  typedef struct packed {
    logic tail;
    logic head;
    logic [2:0] vc;
    target_t target;
  } control_t;

  // What they carry along. Older is smaller, around 2^32.
  typedef struct packed {
    logic [31:0] age;
    logic [31:0] bytes;  // stands for the payload
  } data_t;

  // The outputs that a head may take at router (x, y), where it came in by `from`; `row` is that of
  // its target.
  function automatic logic [PORTS-1:0] allowed_outputs(
      input routing_e routing, input logic [7:0] x, input logic [7:0] y, input target_t to,
      input row_t row, input logic [2:0] from);
    logic [PORTS-1:0] horizontal;
    logic [PORTS-1:0] vertical;
    horizontal = '0;
    vertical = '0;
    horizontal[EAST] = to.x > x;
    horizontal[WEST] = to.x < x;
    vertical[NORTH] = to.y > y;
    vertical[SOUTH] = to.y < y;
    if ((horizontal | vertical) == '0) return PORTS'(1) << to.by;
    case (routing)
      ROUTE_XY: return horizontal != '0 ? horizontal : vertical;
      ROUTE_YX: return vertical != '0 ? vertical : horizontal;
      ROUTE_TABLE: return row[int'(from) * PORTS +: PORTS];
      default: return horizontal[WEST] ? horizontal : horizontal | vertical;
    endcase
  endfunction

  // Around 2^32, for ages less than 2^31 apart.
  function automatic logic is_older(input logic [31:0] a, input logic [31:0] b);
    return $signed(a - b) < 0;
  endfunction

endpackage
