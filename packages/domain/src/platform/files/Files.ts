import { Context, type Effect, Schema, type Stream } from "effect"
import { type NotFound, type Tenancy, type TenantScoped, type Transaction, Uuid } from "../../kernel/index.ts"

export const FileId = Uuid.pipe(Schema.brand("FileId"))
export type FileId = typeof FileId.Type

/** The files of the organization: byte streams of any size, stored and read in constant memory. */
export class Files extends Context.Service<
  Files,
  TenantScoped<{
    /** The bytes from that offset on; nothing when the file is not that long. A file that is not complete is not found. */
    readonly read: (id: FileId, from: number) => Stream.Stream<Uint8Array, NotFound>
    /** From the commit on the file is not found any more. One that is not there is no failure. */
    readonly remove: (id: FileId) => Effect.Effect<void, never, Transaction>
  }> & {
    /**
     * Stores the bytes under an id that was never used, piece by piece and in no unit of work. The file is there once
     * this succeeds; what a write that failed has left is swept.
     */
    readonly write: <E>(
      id: FileId,
      bytes: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<{ readonly size: number }, E, Tenancy>
  }
>()("@parley/domain/platform/files/Files") {}

/** Frees the room of files of the organization that nobody can read. */
export class FileSweep extends Context.Service<
  FileSweep,
  TenantScoped<{
    /** Deletes files that were removed, and those whose write began a day ago and is not complete; says how many. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/platform/files/FileSweep") {}
