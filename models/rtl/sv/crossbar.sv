// The crossbar between the chips of a rank: a connection joins inputs, whose beats are combined by
// OR, to outputs, in consecutive cycles of CK. The crossbar stores no data.
//
// A request names its ports, its first cycle of CK at the earliest (`delay`, counted from the
// present one) and its length. `start` is the first cycle from which all its ports are free, and
// answers at once. With `take`, the connection is made for that cycle. Requests are served in the
// order in which they come, so a request never waits for a later one.
//
// `tick` marks the edges of clk that are also edges of CK. Requests come between them, so that a
// cycle of CK may have several.
module crossbar #(
    parameter int PORTS = 16,
    parameter int WIDTH = 8,       // bits of a beat at a port
    parameter int CONNECTIONS = 32,  // made and not over
    parameter int CYCLES = 20      // bits of a number of cycles
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    tick,
    input  wire                    take,      // not with tick
    input  wire  [      PORTS-1:0] inputs,
    input  wire  [      PORTS-1:0] outputs,
    input  wire  [     CYCLES-1:0] delay,
    input  wire  [     CYCLES-1:0] length,
    output logic [     CYCLES-1:0] start,
    output logic                   full,      // no place for one more connection
    output logic                   idle,      // all ports are free
    input  wire  [PORTS*WIDTH-1:0] in_data,
    output logic [      PORTS-1:0] in_busy,   // inputs connected in this cycle of CK
    output logic [      PORTS-1:0] out_valid,
    output logic [PORTS*WIDTH-1:0] out_data
);

  logic [CYCLES-1:0] input_free[PORTS];   // cycles until the port is free
  logic [CYCLES-1:0] output_free[PORTS];

  logic [CONNECTIONS-1:0] made;
  logic [PORTS-1:0] made_inputs[CONNECTIONS];
  logic [PORTS-1:0] made_outputs[CONNECTIONS];
  logic [CYCLES-1:0] made_start[CONNECTIONS];  // cycles until it begins
  logic [CYCLES-1:0] made_left[CONNECTIONS];   // beats that have not passed

  always_comb begin
    start = delay;
    idle  = 1'b1;
    for (int p = 0; p < PORTS; p++) begin
      if (input_free[p] != '0 || output_free[p] != '0) idle = 1'b0;
      if (inputs[p] && input_free[p] > start) start = input_free[p];
      if (outputs[p] && output_free[p] > start) start = output_free[p];
    end
  end

  // The first place without a connection.
  logic [CONNECTIONS-1:0] place;
  assign place = ~made & (made + CONNECTIONS'(1));
  assign full  = place == '0;

  // The inputs that each output has in this cycle.
  logic [PORTS-1:0] source[PORTS] /*verilator public_flat_rd*/;
  always_comb begin
    in_busy = '0;
    for (int o = 0; o < PORTS; o++) source[o] = '0;
    for (int c = 0; c < CONNECTIONS; c++) begin
      if (made[c] && made_start[c] == '0) begin
        in_busy = in_busy | made_inputs[c];
        for (int o = 0; o < PORTS; o++) begin
          if (made_outputs[c][o]) source[o] = source[o] | made_inputs[c];
        end
      end
    end
    out_data = '0;
    for (int o = 0; o < PORTS; o++) begin
      out_valid[o] = source[o] != '0;
      for (int i = 0; i < PORTS; i++) begin
        if (source[o][i]) begin
          out_data[o*WIDTH+:WIDTH] = out_data[o*WIDTH+:WIDTH] | in_data[i*WIDTH+:WIDTH];
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      made <= '0;
      for (int p = 0; p < PORTS; p++) begin
        input_free[p]  <= '0;
        output_free[p] <= '0;
      end
    end else if (tick) begin
      for (int p = 0; p < PORTS; p++) begin
        if (input_free[p] != '0) input_free[p] <= input_free[p] - 1'b1;
        if (output_free[p] != '0) output_free[p] <= output_free[p] - 1'b1;
      end
      for (int c = 0; c < CONNECTIONS; c++) begin
        if (made[c] && made_start[c] != '0) begin
          made_start[c] <= made_start[c] - 1'b1;
        end else if (made[c]) begin
          made_left[c] <= made_left[c] - 1'b1;
          if (made_left[c] == CYCLES'(1)) made[c] <= 1'b0;
        end
      end
    end else if (take) begin
      for (int p = 0; p < PORTS; p++) begin
        if (inputs[p]) input_free[p] <= start + length;
        if (outputs[p]) output_free[p] <= start + length;
      end
      if (length != '0) made <= made | place;
      for (int c = 0; c < CONNECTIONS; c++) begin
        if (place[c]) begin
          made_inputs[c]  <= inputs;
          made_outputs[c] <= outputs;
          made_start[c]   <= start;
          made_left[c]    <= length;
        end
      end
    end
  end

endmodule
