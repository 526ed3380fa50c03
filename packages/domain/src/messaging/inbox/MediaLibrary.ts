import { Context, type Effect } from "effect"
import type { NotFound, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { MediaId } from "./Ids.ts"
import type { Media } from "./Media.ts"

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
