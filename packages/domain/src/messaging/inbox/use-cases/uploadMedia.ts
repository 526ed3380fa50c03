import { Effect, type Stream } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { receiveMedia } from "./receiveMedia.ts"
import { keepMedia } from "./keepMedia.ts"

/** Takes a file in that is to be sent. It is no part of a unit of work: call it outside of one. */
export const uploadMedia = useCase(
  "media.upload",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (
    said: { readonly filename: string | null; readonly mimeType: string },
    bytes: Stream.Stream<Uint8Array>
  ) {
    return yield* keepMedia(yield* receiveMedia(said, bytes))
  })
)
