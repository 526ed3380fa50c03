import { Effect } from "effect"
import { faultsOfFile, interactiveFaults, type NewMessage } from "../../../../messaging/inbox/index.ts"
import type { Fault } from "../../../../kernel/index.ts"

/** What is wrong with a message, as far as that can be told before it is sent. */
export const faultsOfMessage = Effect.fnUntraced(function* (
  said: NewMessage,
  pointer: string
): Effect.fn.Return<ReadonlyArray<Fault>, never, Effect.Services<ReturnType<typeof faultsOfFile>>> {
  switch (said.kind) {
    case "interactive":
      return interactiveFaults(said.interactive, `${pointer}/interactive`)
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      const hasNone = said.kind === "audio" || said.kind === "sticker"
      const faults = yield* faultsOfFile(said.mediaId, said.kind, `${pointer}/mediaId`)
      return said.caption === undefined || !hasNone
        ? faults
        : [...faults, { pointer: `${pointer}/caption`, message: `A message of the kind ${said.kind} has no caption` }]
    }
    default:
      return []
  }
})
