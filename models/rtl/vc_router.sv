// A router with virtual channels: buffers at its inputs, credits for those of its neighbors. A head
// takes a virtual channel of an output in one cycle (VA) and a flit the switch in the next (SA); what
// leaves in SA is on out_* in that cycle. The registers behind it (ST, link) belong to the link.
// Straps x, y, routing and endpoints (outputs that always take a flit) stay as they are, and so does
// the routing table.
module vc_router
  import mesh_pkg::*;
#(
    parameter int VCS = 2,
    parameter int DEPTH = 8
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [ 7:0] x,
    input  wire  [ 7:0] y,
    input  wire  [ 1:0] routing,
    input  wire         row_write,  // under reset: a row of the routing table
    input  wire  [ 7:0] row_index,
    input  wire  [24:0] row,
    input  wire  [ 4:0] endpoints,
    input  wire  [ 4:0] in_valid,
    input  wire  [23:0] in_control    [PORTS],
    input  wire  [63:0] in_data       [PORTS],
    output logic [ 4:0] out_valid,
    output logic [23:0] out_control   [PORTS],
    output logic [63:0] out_data      [PORTS],
    input  wire  [ 4:0] credit_in,            // for an output: its neighbor has one place more
    input  wire  [ 2:0] credit_in_vc  [PORTS],
    output logic [ 4:0] credit_out,           // for an input: one place more
    output logic [ 2:0] credit_out_vc [PORTS],
    output logic        overflow              // a flit came without a credit
);

  localparam int CHANNELS = PORTS * VCS;  // input channels: port * VCS + vc
  localparam int PLACE = $clog2(DEPTH);
  localparam int COUNT = $clog2(DEPTH + 1);
  localparam int VC = VCS > 1 ? $clog2(VCS) : 1;
  localparam int CHANNEL = $clog2(CHANNELS);
  localparam int ROOM = $clog2(VCS * (DEPTH + 1) + 1);

  // Around the ends of what they count.
  function automatic logic [VC-1:0] vc_plus(input logic [VC-1:0] vc, input int k);
    return VC'((int'(vc) + k) % VCS);
  endfunction
  function automatic logic [2:0] port_plus(input logic [2:0] p, input int k);
    return 3'((int'(p) + k) % PORTS);
  endfunction
  function automatic logic [CHANNEL-1:0] channel_plus(input logic [CHANNEL-1:0] c, input int k);
    return CHANNEL'((int'(c) + k) % CHANNELS);
  endfunction
  function automatic logic [CHANNEL-1:0] channel_of(input logic [2:0] p, input logic [VC-1:0] vc);
    return CHANNEL'(int'(p) * VCS + int'(vc));
  endfunction

  // Registers.
  row_t rows[ROWS];  // routing table
  control_t buffer_control[CHANNELS][DEPTH];
  data_t buffer_data[CHANNELS][DEPTH];
  logic [PLACE-1:0] first[CHANNELS];
  logic [COUNT-1:0] count[CHANNELS] /*verilator public_flat_rd*/;
  logic [CHANNELS-1:0] active;  // the packet at its front has an output channel:
  logic [2:0] to_port[CHANNELS];
  logic [VC-1:0] to_vc[CHANNELS];
  logic [COUNT-1:0] credits[PORTS][VCS] /*verilator public_flat_rd*/;
  logic [VCS-1:0] free_vcs[PORTS];
  // Where round robin starts.
  logic [VC-1:0] next_vc[PORTS];
  logic [2:0] next_input[PORTS];
  logic [CHANNEL-1:0] next_channel;

  control_t front[CHANNELS];
  logic [PLACE-1:0] back[CHANNELS];
  logic [CHANNELS-1:0] occupied;
  always_comb begin
    for (int c = 0; c < CHANNELS; c++) begin
      back[c] = PLACE'((int'(first[c]) + int'(count[c])) % DEPTH);
      front[c] = buffer_control[c][first[c]];
      occupied[c] = count[c] != '0;
    end
  end

  // Switch allocation: each input proposes a channel, each output takes an input.
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
        candidate_vc = vc_plus(next_vc[i], k);
        candidate = channel_of(3'(i), candidate_vc);
        if (occupied[candidate] && active[candidate]
            && (endpoints[to_port[candidate]]
                || credits[to_port[candidate]][to_vc[candidate]] != '0)) begin
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
        asker = port_plus(next_input[o], k);
        if (proposes[asker] && proposed_port[asker] == 3'(o)) begin
          grants[o] = 1'b1;
          granted_input[o] = asker;
        end
      end
    end
  end

  // What leaves.
  logic [CHANNELS-1:0] pops;
  logic [CHANNEL-1:0] granted_channel[PORTS];  // by output
  control_t leaving;
  always_comb begin
    out_valid = grants;
    credit_out = '0;
    pops = '0;
    leaving = '0;
    for (int p = 0; p < PORTS; p++) begin
      out_control[p] = '0;
      out_data[p] = '0;
      credit_out_vc[p] = '0;
      granted_channel[p] = channel_of(granted_input[p], proposed_vc[granted_input[p]]);
    end
    for (int o = 0; o < PORTS; o++) begin
      if (grants[o]) begin
        leaving = front[granted_channel[o]];
        leaving.vc = 3'(to_vc[granted_channel[o]]);
        out_control[o] = leaving;
        out_data[o] = buffer_data[granted_channel[o]][first[granted_channel[o]]];
        pops[granted_channel[o]] = 1'b1;
        credit_out[granted_input[o]] = 1'b1;
        credit_out_vc[granted_input[o]] = 3'(proposed_vc[granted_input[o]]);
      end
    end
  end

  // Credits that the switch leaves.
  logic [COUNT-1:0] credits_left[PORTS][VCS];
  always_comb begin
    credits_left = credits;
    for (int o = 0; o < PORTS; o++) begin
      if (grants[o] && !endpoints[o]) begin
        credits_left[o][to_vc[granted_channel[o]]] = credits[o][to_vc[granted_channel[o]]] - 1'b1;
      end
    end
  end

  // Virtual channel allocation: one input channel after the other takes what is left of the output
  // channels that were free at the cycle's beginning, of the allowed outputs the one with the most
  // room behind free channels, there the channel with the most credits.
  logic [CHANNELS-1:0] allocates;
  logic [2:0] allocated_port[CHANNELS];
  logic [VC-1:0] allocated_vc[CHANNELS];
  logic [VCS-1:0] free_left[PORTS];
  logic [CHANNEL-1:0] channel_after_grant;
  logic any_grant;
  logic [PORTS-1:0] allowed;
  logic [ROOM-1:0] room;
  logic [ROOM-1:0] best_room;
  logic [COUNT-1:0] most_credits;
  logic found;
  logic [CHANNEL-1:0] channel;
  always_comb begin
    free_left = free_vcs;
    allocates = '0;
    channel_after_grant = next_channel;
    any_grant = 1'b0;
    allowed = '0;
    room = '0;
    best_room = '0;
    most_credits = '0;
    found = 1'b0;
    channel = '0;
    for (int c = 0; c < CHANNELS; c++) begin
      allocated_port[c] = '0;
      allocated_vc[c] = '0;
    end
    for (int k = 0; k < CHANNELS; k++) begin
      channel = channel_plus(next_channel, k);
      if (occupied[channel] && !active[channel]) begin
        allowed = allowed_outputs(routing_e'(routing), x, y, front[channel].target,
                                  rows[{front[channel].target.y[3:0], front[channel].target.x[3:0]}],
                                  3'(int'(channel) / VCS));
        best_room = '0;
        for (int o = 0; o < PORTS; o++) begin
          room = '0;
          for (int v = 0; v < VCS; v++) begin
            if (free_left[o][v]) room = room + ROOM'(credits_left[o][v]) + 1'b1;
          end
          if (allowed[o] && room > best_room) begin
            best_room = room;
            allocated_port[channel] = 3'(o);
          end
        end
        if (best_room != '0) begin
          found = 1'b0;
          most_credits = '0;
          for (int v = 0; v < VCS; v++) begin
            if (free_left[allocated_port[channel]][v]
                && (!found || credits_left[allocated_port[channel]][v] > most_credits)) begin
              found = 1'b1;
              most_credits = credits_left[allocated_port[channel]][v];
              allocated_vc[channel] = VC'(v);
            end
          end
          free_left[allocated_port[channel]][allocated_vc[channel]] = 1'b0;
          allocates[channel] = 1'b1;
          if (!any_grant) channel_after_grant = channel_plus(channel, 1);
          any_grant = 1'b1;
        end
      end
    end
  end

  logic [CHANNELS-1:0] pushes;
  always_comb begin
    pushes = '0;
    for (int i = 0; i < PORTS; i++) begin
      if (in_valid[i]) pushes[i * VCS + int'(in_control[i][19+:VC])] = 1'b1;
    end
  end

  always_ff @(posedge clk) if (row_write) rows[row_index] <= row;

  always_ff @(posedge clk) begin
    next_channel <= channel_after_grant;
    for (int c = 0; c < CHANNELS; c++) begin
      if (pushes[c]) begin
        buffer_control[c][back[c]] <= in_control[c/VCS];
        buffer_data[c][back[c]] <= in_data[c/VCS];
        if (int'(count[c]) == DEPTH && !pops[c]) overflow <= 1'b1;
      end
      if (pops[c]) first[c] <= int'(first[c]) == DEPTH - 1 ? '0 : first[c] + 1'b1;
      count[c] <= count[c] + COUNT'(pushes[c]) - COUNT'(pops[c]);
      if (allocates[c]) begin
        active[c] <= 1'b1;
        to_port[c] <= allocated_port[c];
        to_vc[c] <= allocated_vc[c];
      end
    end
    for (int o = 0; o < PORTS; o++) begin
      free_vcs[o] <= free_left[o];
      for (int v = 0; v < VCS; v++) begin
        credits[o][v] <= credits_left[o][v]
            + COUNT'(credit_in[o] && credit_in_vc[o] == 3'(v));
      end
    end
    for (int o = 0; o < PORTS; o++) begin
      if (grants[o]) begin
        next_input[o] <= port_plus(granted_input[o], 1);
        next_vc[granted_input[o]] <= vc_plus(proposed_vc[granted_input[o]], 1);
        if (front[granted_channel[o]].tail) begin
          active[granted_channel[o]] <= 1'b0;
          free_vcs[o][to_vc[granted_channel[o]]] <= 1'b1;
        end
      end
    end
    if (rst) begin
      active <= '0;
      next_channel <= '0;
      overflow <= 1'b0;
      for (int c = 0; c < CHANNELS; c++) begin
        first[c] <= '0;
        count[c] <= '0;
      end
      for (int o = 0; o < PORTS; o++) begin
        free_vcs[o] <= '1;
        next_vc[o] <= '0;
        next_input[o] <= '0;
        for (int v = 0; v < VCS; v++) credits[o][v] <= COUNT'(DEPTH);
      end
    end
  end

endmodule
