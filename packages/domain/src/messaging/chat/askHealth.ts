import { Effect } from "effect"
import type { ChannelFailure } from "./ChannelErrors.ts"
import { channelFor } from "./ChatChannels.ts"
import { ChatNumberUnknown, ChatTokenRefused } from "./Errors.ts"
import type { Line } from "./Line.ts"

const asFault = (failure: ChannelFailure) => {
  if (failure._tag === "ChannelUnreachable") return failure
  const { code, reason, remedy } = failure
  switch (remedy) {
    case "reauthorize":
      return new ChatTokenRefused({ providerCode: code, reason })
    case "give_up":
      return new ChatNumberUnknown({ providerCode: code, reason })
    default:
      return failure
  }
}

/** How a number is doing that is to be connected: that it is there and may be used, only the provider can say. */
export const askHealth = Effect.fnUntraced(function* (provider: string, line: Line) {
  const { check } = yield* channelFor({ provider }, "checking")
  return yield* Effect.mapError(check(line), asFault)
})
