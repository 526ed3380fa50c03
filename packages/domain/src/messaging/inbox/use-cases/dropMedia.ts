import { Effect } from "effect"
import { Files } from "../../../platform/files/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { type Media } from "../Media.ts"
import { MediaLibrary } from "../MediaLibrary.ts"

/** Drops the bytes of a file that has arrived, unless it was put into the library. */
export const dropMedia = useCase(
  "media.drop",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* ({ fileId, id }: Media) {
    const library = yield* MediaLibrary
    const isKept = yield* Effect.match(library.get(id), { onFailure: () => false, onSuccess: () => true })
    if (!isKept && fileId !== null) yield* (yield* Files).remove(fileId)
  }, transact)
)
