import { Effect, Schema } from "effect"
import { ChatAccountId, MediaKind } from "../chat/index.ts"
import { FileId } from "../../platform/files/index.ts"
import { Timestamp, wholeShownWith } from "../../kernel/index.ts"
import { MediaId } from "./Ids.ts"

/** `stored`: its bytes are here. `remote`: they are with the provider, and are fetched when somebody asks. `lost`: they cannot be had. */
export const MediaState = Schema.Literals(["stored", "remote", "lost"])
export type MediaState = typeof MediaState.Type

/** A file of a message: uploaded by the team, or sent by a contact. */
export class Media extends Schema.Class<Media>("MediaRecord")({
  id: MediaId,
  kind: MediaKind,
  mimeType: Schema.String,
  filename: Schema.NullOr(Schema.String),
  size: Schema.NullOr(Schema.Int),
  state: MediaState,
  fileId: Schema.NullOr(FileId),
  /** Where the bytes are while they are with the provider. */
  remote: Schema.NullOr(Schema.Struct({ chatAccountId: ChatAccountId, mediaId: Schema.String })),
  /** Since when the provider has refused it, each time it was asked. */
  refusedSince: Schema.NullOr(Timestamp).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  /** A message names it, or has named it: it stays. */
  isUsed: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
  createdAt: Timestamp
}) {}

/** A file as it is shown. */
export class MediaView extends Schema.Class<MediaView>("Media")(
  {
    id: MediaId,
    kind: MediaKind,
    mimeType: Schema.String,
    filename: Schema.NullOr(Schema.String),
    size: Schema.NullOr(Schema.Int),
    createdAt: Timestamp
  },
  wholeShownWith("conversations.read")
) {}
