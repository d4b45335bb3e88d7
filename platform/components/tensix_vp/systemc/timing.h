#pragma once

namespace tensix_vp {

/// How a bound memory is called.
enum class Timing {
  kApproximate,  ///< nb_transport: BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP
  kLoose,        ///< b_transport, several calls at once, each in a thread of its own
};

}  // namespace tensix_vp
