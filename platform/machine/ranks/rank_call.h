#pragma once

#include <cstdint>

namespace tvp::platform {

/// The first byte of what rank 0 asks of another rank.
enum class RankCall : std::uint8_t {
  kStart,       ///< a simulation: build and settings
  kDrop,        ///< the simulation has ended
  kEnd,         ///< the host program has ended
  kClock,       ///< windows follow, with all ranks
  kSync,        ///< answers with the time of the next event
  kBar0,        ///< host accesses
  kBar2,        //
  kTile,        //
  kSymbols,     ///< registrations of the host
  kBuffers,     //
  kArguments,   //
  kGiven,       //
  kDramBuffer,  //
  kL1Buffer,    //
  kOrigin,      ///< texts and reports
  kLines,       //
  kReport,      //
  kDigest,      //
  kCheckAtEnd,  //
  kFinish,      //
};

}  // namespace tvp::platform
