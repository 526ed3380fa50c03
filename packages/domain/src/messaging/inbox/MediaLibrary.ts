import { Context, Effect, Schema } from "effect"
import { type NotFound, type TenantScoped, Timestamp, type Transaction, objectShownWith } from "../../kernel/index.ts"
import { FileId } from "../../platform/files/index.ts"
import { ChatAccountId, MediaKind } from "../chat/index.ts"
import { MediaId } from "./Message.ts"

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
  objectShownWith("conversations.read")
) {}

/** A file as it is shown. */
export const toMediaView = ({ createdAt, filename, id, kind, mimeType, size }: Media): MediaView =>
  new MediaView({ id, kind, mimeType, filename, size, createdAt })

/** What is known of the organization's media. Their bytes are files. */
export class MediaLibrary extends Context.Service<
  MediaLibrary,
  TenantScoped<{
    readonly get: (id: MediaId) => Effect.Effect<Media, NotFound>
    readonly insert: (media: ReadonlyArray<Media>) => Effect.Effect<void, never, Transaction>
    /** Stores state, size, file and refusals of one whose bytes are not here yet; says whether there is such a one. */
    readonly save: (media: Media) => Effect.Effect<boolean, never, Transaction>
    /** Keeps that a message names it, so that it stays. */
    readonly use: (id: MediaId) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/messaging/inbox/MediaLibrary") {}

/** Frees the room of files of the organization that nobody has sent. */
export class MediaSweep extends Context.Service<
  MediaSweep,
  TenantScoped<{
    /** Deletes those that were uploaded a week ago and that no message names; says how many. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/messaging/inbox/MediaSweep") {}
