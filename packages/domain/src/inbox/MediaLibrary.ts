import { Context, type Effect } from "effect"
import type { NotFound, TenantScoped, Transaction } from "../kernel/index.ts"
import type { MediaId } from "./Ids.ts"
import type { Media } from "./Media.ts"

/** What is known of the organization's media. Their bytes are files. */
export class MediaLibrary extends Context.Service<
  MediaLibrary,
  TenantScoped<{
    readonly get: (id: MediaId) => Effect.Effect<Media, NotFound>
    readonly insert: (media: ReadonlyArray<Media>) => Effect.Effect<void, never, Transaction>
    /** Stores state, size and file. One that is gone meanwhile is no failure. */
    readonly save: (media: Media) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/inbox/MediaLibrary") {}
