import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { type Media } from "../Media.ts"
import { MediaLibrary } from "../MediaLibrary.ts"
import { shownMedia } from "../shownMedia.ts"

/** Puts a file that has arrived into the library, so that it can be sent. */
export const keepMedia = useCase(
  "media.keep",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (media: Media) {
    yield* (yield* MediaLibrary).insert([media])
    const { id, kind, mimeType, size } = media
    yield* record("media.uploaded", { kind: "media", id }, { after: { kind, mimeType, size } })
    return shownMedia(media)
  }, transact)
)
