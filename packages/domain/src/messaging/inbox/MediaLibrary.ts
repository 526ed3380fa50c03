import { Context, Effect, Schema } from "effect"
import { type NotFound, type TenantScoped, Timestamp, type Transaction, objectShownWith } from "../../kernel/index.ts"
import { FileId } from "../../platform/files/index.ts"
import { ChatAccountId, MediaKind } from "../chat/index.ts"
import { MediaId } from "./Message.ts"

/** `stored`: the bytes are in Parley. `remote`: the bytes are at the provider, and are fetched on request. `lost`: the bytes are unavailable. */
export const MediaState = Schema.Literals(["stored", "remote", "lost"])
export type MediaState = typeof MediaState.Type

/** File of a message: uploaded by the team, or sent by a contact. */
export class Media extends Schema.Class<Media>("MediaRecord")({
  id: MediaId,
  kind: MediaKind,
  mimeType: Schema.String,
  filename: Schema.NullOr(Schema.String),
  size: Schema.NullOr(Schema.Int),
  state: MediaState,
  fileId: Schema.NullOr(FileId),
  /** Location of the bytes: at the provider, or at an address that the channel of the account fetches. */
  remote: Schema.NullOr(
    Schema.Union([
      Schema.Struct({ chatAccountId: ChatAccountId, mediaId: Schema.String }),
      Schema.Struct({ chatAccountId: ChatAccountId, link: Schema.String })
    ])
  ),
  /** Start of consecutive refusals by the provider. */
  refusedSince: Schema.NullOr(Timestamp).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  /** Whether a message names or has named the file. Used files are never swept. */
  isUsed: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
  createdAt: Timestamp
}) {}

export class MediaView extends Schema.Class<MediaView>("Media")(
  {
    id: MediaId,
    kind: MediaKind,
    mimeType: Schema.String,
    filename: Schema.NullOr(Schema.String),
    size: Schema.NullOr(Schema.Int),
    createdAt: Timestamp
  },
  objectShownWith("conversations.read")
) {}

export const toMediaView = ({ createdAt, filename, id, kind, mimeType, size }: Media): MediaView =>
  new MediaView({ id, kind, mimeType, filename, size, createdAt })

/** Metadata of the organization's media. The bytes are files. */
export class MediaLibrary extends Context.Service<
  MediaLibrary,
  TenantScoped<{
    readonly get: (id: MediaId) => Effect.Effect<Media, NotFound>
    readonly insert: (media: ReadonlyArray<Media>) => Effect.Effect<void, never, Transaction>
    /** Stores type, state, size, file and refusals of media without stored bytes. Returns whether such media exists. */
    readonly save: (media: Media) => Effect.Effect<boolean, never, Transaction>
    /** Marks the file as used by a message, which prevents its deletion by the sweep. */
    readonly use: (id: MediaId) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/messaging/inbox/MediaLibrary") {}

/** Sweep of files that were never sent. */
export class MediaSweep extends Context.Service<
  MediaSweep,
  TenantScoped<{
    /** Deletes files uploaded more than a week ago that no message names. Returns the number. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/messaging/inbox/MediaSweep") {}
