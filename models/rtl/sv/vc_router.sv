// A router with virtual channels, input buffers, and credits for the buffers of its neighbors. A
// head takes a virtual channel of an output in one cycle (VA), and a flit the switch in the next
// (SA). Flits that leave in SA are on out_* in that cycle. The registers behind it (ST, link)
// belong to the link. Straps x, y, routing and endpoints (outputs that always accept a flit) are
// constant, and so is the routing table. Port p uses in_*[p * width +: width] and so on.
module vc_router #(
    parameter int VCS = 2,
    parameter int DEPTH = 8
) (
    input  wire                                          clk,
    input  wire                                          rst,
    input  wire  [                                  7:0] x,
    input  wire  [                                  7:0] y,
    input  wire  [                                  1:0] routing,
    input  wire                                          row_write,     // under reset: a row of the
    input  wire  [                                  7:0] row_index,     // routing table
    input  wire  [                    mesh_pkg::ROW-1:0] row,
    input  wire  [                  mesh_pkg::PORTS-1:0] endpoints,
    input  wire  [                  mesh_pkg::PORTS-1:0] in_valid,
    input  wire  [mesh_pkg::PORTS*mesh_pkg::CONTROL-1:0] in_control,
    input  wire  [   mesh_pkg::PORTS*mesh_pkg::DATA-1:0] in_data,
    output logic [                  mesh_pkg::PORTS-1:0] out_valid,
    output logic [mesh_pkg::PORTS*mesh_pkg::CONTROL-1:0] out_control,
    output logic [   mesh_pkg::PORTS*mesh_pkg::DATA-1:0] out_data,
    input  wire  [                  mesh_pkg::PORTS-1:0] credit_in,     // for an output: its neighbor
    input  wire  [                3*mesh_pkg::PORTS-1:0] credit_in_vc,  // has one place more
    output logic [                  mesh_pkg::PORTS-1:0] credit_out,    // for an input: one place more
    output logic [                3*mesh_pkg::PORTS-1:0] credit_out_vc,
    output logic                                         overflow       // a flit without a credit came
);

  localparam int PORTS = mesh_pkg::PORTS;
  localparam int CONTROL = mesh_pkg::CONTROL;
  localparam int DATA = mesh_pkg::DATA;
  localparam int CHANNELS = PORTS * VCS;  // channels, of inputs and of outputs: port * VCS + vc
  localparam int PLACE = $clog2(DEPTH);
  localparam int COUNT = $clog2(DEPTH + 1);
  localparam int VC = VCS > 1 ? $clog2(VCS) : 1;
  localparam int CHANNEL = $clog2(CHANNELS);
  localparam int ROOM = $clog2(VCS * (DEPTH + 1) + 1);
  localparam int SLOT = $clog2(CHANNELS * DEPTH);

  // Modular arithmetic; the sum of two numbers wraps at most once.
  function automatic logic [VC-1:0] vc_plus(input logic [VC-1:0] vc, input logic [VC-1:0] k);
    logic [VC:0] sum;
    sum = {1'b0, vc} + {1'b0, k};
    if (sum >= (VC + 1)'(VCS)) sum = sum - (VC + 1)'(VCS);
    vc_plus = sum[VC-1:0];
  endfunction
  function automatic logic [2:0] port_plus(input logic [2:0] p, input logic [2:0] k);
    logic [3:0] sum;
    sum = {1'b0, p} + {1'b0, k};
    if (sum >= 4'(PORTS)) sum = sum - 4'(PORTS);
    port_plus = sum[2:0];
  endfunction
  function automatic logic [CHANNEL-1:0] channel_plus(input logic [CHANNEL-1:0] c,
                                                      input logic [CHANNEL-1:0] k);
    logic [CHANNEL:0] sum;
    sum = {1'b0, c} + {1'b0, k};
    if (sum >= (CHANNEL + 1)'(CHANNELS)) sum = sum - (CHANNEL + 1)'(CHANNELS);
    channel_plus = sum[CHANNEL-1:0];
  endfunction
  function automatic logic [CHANNEL-1:0] channel_of(input logic [2:0] p, input logic [VC-1:0] vc);
    channel_of = CHANNEL'(p) * CHANNEL'(VCS) + CHANNEL'(vc);
  endfunction
  function automatic logic [SLOT-1:0] slot_of(input logic [CHANNEL-1:0] c,
                                              input logic [PLACE-1:0] place);
    slot_of = SLOT'(c) * SLOT'(DEPTH) + SLOT'(place);
  endfunction

  logic [mesh_pkg::ROW-1:0] rows[mesh_pkg::ROWS];  // routing table
  logic [CONTROL-1:0] buffer_control[CHANNELS*DEPTH];
  logic [DATA-1:0] buffer_data[CHANNELS*DEPTH];
  logic [PLACE-1:0] first[CHANNELS];
  logic [COUNT-1:0] count[CHANNELS] /*verilator public_flat_rd*/;
  logic [CHANNELS-1:0] active;  // the packet at its front has an output channel:
  logic [2:0] to_port[CHANNELS];
  logic [VC-1:0] to_vc[CHANNELS];
  logic [COUNT-1:0] credits[CHANNELS] /*verilator public_flat_rd*/;
  logic [CHANNELS-1:0] free_channels;
  // Start positions of round robin.
  logic [VC-1:0] next_vc[PORTS];
  logic [2:0] next_input[PORTS];
  logic [CHANNEL-1:0] next_channel;

  logic [CONTROL-1:0] front[CHANNELS];
  logic [PLACE-1:0] back[CHANNELS];
  logic [CHANNELS-1:0] occupied;
  logic [COUNT:0] behind;
  always_comb begin
    behind = '0;
    for (int c = 0; c < CHANNELS; c++) begin
      behind = (COUNT + 1)'(first[c]) + (COUNT + 1)'(count[c]);
      if (behind >= (COUNT + 1)'(DEPTH)) behind = behind - (COUNT + 1)'(DEPTH);
      back[c] = PLACE'(behind);
      front[c] = buffer_control[slot_of(CHANNEL'(c), first[c])];
      occupied[c] = count[c] != '0;
    end
  end

  // Switch allocation: each input proposes a channel, each output selects an input.
  logic [PORTS-1:0] proposes;
  logic [VC-1:0] proposed_vc[PORTS];
  logic [2:0] proposed_port[PORTS];
  logic [VC-1:0] candidate_vc;
  logic [CHANNEL-1:0] candidate;
  always_comb begin
    candidate_vc = '0;
    candidate = '0;
    for (int i = 0; i < PORTS; i++) begin
      proposes[i] = 1'b0;
      proposed_vc[i] = '0;
      proposed_port[i] = '0;
      for (int k = VCS - 1; k >= 0; k--) begin
        candidate_vc = vc_plus(next_vc[i], VC'(k));
        candidate = channel_of(3'(i), candidate_vc);
        if (occupied[candidate] && active[candidate]
            && (endpoints[to_port[candidate]]
                || credits[channel_of(to_port[candidate], to_vc[candidate])] != '0)) begin
          proposes[i] = 1'b1;
          proposed_vc[i] = candidate_vc;
          proposed_port[i] = to_port[candidate];
        end
      end
    end
  end

  logic [PORTS-1:0] grants;
  logic [2:0] granted_input[PORTS];
  logic [2:0] asker;
  always_comb begin
    asker = '0;
    for (int o = 0; o < PORTS; o++) begin
      grants[o] = 1'b0;
      granted_input[o] = '0;
      for (int k = PORTS - 1; k >= 0; k--) begin
        asker = port_plus(next_input[o], 3'(k));
        if (proposes[asker] && proposed_port[asker] == 3'(o)) begin
          grants[o] = 1'b1;
          granted_input[o] = asker;
        end
      end
    end
  end

  // Flits that leave.
  logic [CHANNELS-1:0] pops;
  logic [CHANNEL-1:0] granted_channel[PORTS];  // for each output: channel of the input,
  logic [CHANNEL-1:0] taken_channel[PORTS];    // and its own
  logic [CONTROL-1:0] leaving;
  always_comb begin
    out_valid = grants;
    credit_out = '0;
    pops = '0;
    leaving = '0;
    out_control = '0;
    out_data = '0;
    credit_out_vc = '0;
    for (int o = 0; o < PORTS; o++) begin
      granted_channel[o] = channel_of(granted_input[o], proposed_vc[granted_input[o]]);
      taken_channel[o] = channel_of(3'(o), to_vc[granted_channel[o]]);
      if (grants[o]) begin
        leaving = front[granted_channel[o]];
        leaving[mesh_pkg::VC_AT+:3] = 3'(to_vc[granted_channel[o]]);
        out_control[o*CONTROL+:CONTROL] = leaving;
        out_data[o*DATA+:DATA] =
            buffer_data[slot_of(granted_channel[o], first[granted_channel[o]])];
        pops[granted_channel[o]] = 1'b1;
      end
    end
    for (int i = 0; i < PORTS; i++) begin
      for (int v = 0; v < VCS; v++) begin
        if (pops[i*VCS+v]) begin
          credit_out[i] = 1'b1;
          credit_out_vc[i*3+:3] = 3'(v);
        end
      end
    end
  end

  // Credits after the switch allocation.
  logic [COUNT-1:0] credits_left[CHANNELS];
  always_comb begin
    for (int c = 0; c < CHANNELS; c++) begin
      credits_left[c] = credits[c];
      if (grants[c/VCS] && !endpoints[c/VCS] && taken_channel[c/VCS] == CHANNEL'(c)) begin
        credits_left[c] = credits[c] - 1'b1;
      end
    end
  end

  // Virtual channel allocation: input channels in turn take output channels that were free at the
  // beginning of the cycle. Each takes the allowed output with the most room behind free channels,
  // and there the channel with the most credits.
  logic [CHANNELS-1:0] allocates;
  logic [2:0] allocated_port[CHANNELS];
  logic [VC-1:0] allocated_vc[CHANNELS];
  logic [CHANNELS-1:0] free_left;
  logic [CHANNEL-1:0] channel_after_grant;
  logic any_grant;
  logic [PORTS-1:0] allowed[CHANNELS];
  logic [ROOM-1:0] room;
  logic [ROOM-1:0] best_room;
  logic [2:0] best_port;
  logic [VC-1:0] best_vc;
  logic [COUNT-1:0] most_credits;
  logic found;
  logic [CHANNEL-1:0] channel;
  always_comb begin
    for (int c = 0; c < CHANNELS; c++) begin
      allowed[c] = mesh_pkg::allowed_outputs(routing, x, y, front[c],
                                             rows[mesh_pkg::row_of(front[c])], 3'(c / VCS));
      allocated_port[c] = '0;
      allocated_vc[c] = '0;
    end
    free_left = free_channels;
    allocates = '0;
    channel_after_grant = next_channel;
    any_grant = 1'b0;
    room = '0;
    best_room = '0;
    best_port = '0;
    best_vc = '0;
    most_credits = '0;
    found = 1'b0;
    channel = '0;
    for (int k = 0; k < CHANNELS; k++) begin
      channel = channel_plus(next_channel, CHANNEL'(k));
      best_room = '0;
      best_port = '0;
      best_vc = '0;
      for (int o = 0; o < PORTS; o++) begin
        room = '0;
        for (int v = 0; v < VCS; v++) begin
          if (free_left[o*VCS+v]) room = room + ROOM'(credits_left[o*VCS+v]) + 1'b1;
        end
        if (allowed[channel][o] && room > best_room) begin
          best_room = room;
          best_port = 3'(o);
          found = 1'b0;
          most_credits = '0;
          for (int v = 0; v < VCS; v++) begin
            if (free_left[o*VCS+v] && (!found || credits_left[o*VCS+v] > most_credits)) begin
              found = 1'b1;
              most_credits = credits_left[o*VCS+v];
              best_vc = VC'(v);
            end
          end
        end
      end
      if (occupied[channel] && !active[channel] && best_room != '0) begin
        allocated_port[channel] = best_port;
        allocated_vc[channel] = best_vc;
        free_left[channel_of(best_port, best_vc)] = 1'b0;
        allocates[channel] = 1'b1;
        if (!any_grant) channel_after_grant = channel_plus(channel, CHANNEL'(1));
        any_grant = 1'b1;
      end
    end
  end

  logic [CHANNELS-1:0] pushes;
  always_comb begin
    for (int c = 0; c < CHANNELS; c++) begin
      pushes[c] = in_valid[c/VCS]
          && in_control[(c/VCS)*CONTROL+mesh_pkg::VC_AT+:3] == 3'(c % VCS);
    end
  end

  always_ff @(posedge clk) if (row_write) rows[row_index] <= row;

  always_ff @(posedge clk) begin
    next_channel <= channel_after_grant;
    for (int c = 0; c < CHANNELS; c++) begin
      if (pushes[c]) begin
        buffer_control[slot_of(CHANNEL'(c), back[c])] <= in_control[(c/VCS)*CONTROL+:CONTROL];
        buffer_data[slot_of(CHANNEL'(c), back[c])] <= in_data[(c/VCS)*DATA+:DATA];
        if (count[c] == COUNT'(DEPTH) && !pops[c]) overflow <= 1'b1;
      end
      if (pops[c]) first[c] <= first[c] == PLACE'(DEPTH - 1) ? '0 : first[c] + 1'b1;
      count[c] <= count[c] + COUNT'(pushes[c]) - COUNT'(pops[c]);
      if (allocates[c]) begin
        active[c] <= 1'b1;
        to_port[c] <= allocated_port[c];
        to_vc[c] <= allocated_vc[c];
      end
      if (pops[c] && front[c][mesh_pkg::TAIL]) active[c] <= 1'b0;
      free_channels[c] <= free_left[c];
      credits[c] <= credits_left[c]
          + COUNT'(credit_in[c/VCS] && credit_in_vc[(c/VCS)*3+:3] == 3'(c % VCS));
    end
    for (int o = 0; o < PORTS; o++) begin
      if (grants[o]) begin
        next_input[o] <= port_plus(granted_input[o], 3'd1);
        next_vc[granted_input[o]] <= vc_plus(proposed_vc[granted_input[o]], VC'(1));
        if (front[granted_channel[o]][mesh_pkg::TAIL]) free_channels[taken_channel[o]] <= 1'b1;
      end
    end
    if (rst) begin
      active <= '0;
      next_channel <= '0;
      overflow <= 1'b0;
      free_channels <= '1;
      for (int c = 0; c < CHANNELS; c++) begin
        first[c] <= '0;
        count[c] <= '0;
        credits[c] <= COUNT'(DEPTH);
      end
      for (int o = 0; o < PORTS; o++) begin
        next_vc[o] <= '0;
        next_input[o] <= '0;
      end
    end
  end

endmodule
