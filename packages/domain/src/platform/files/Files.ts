import { Context, type Effect, Schema, type Stream } from "effect"
import { type NotFound, type Tenancy, type TenantScoped, type Transaction, Uuid } from "../../kernel/index.ts"

export const FileId = Uuid.pipe(Schema.brand("FileId"))
export type FileId = typeof FileId.Type

/** Files of the organization: byte streams of any size, stored and read in constant memory. */
export class Files extends Context.Service<
  Files,
  TenantScoped<{
    /** The bytes from the offset on; empty past the end of the file. An incomplete file is not found. */
    readonly read: (id: FileId, from: number) => Stream.Stream<Uint8Array, NotFound>
    /** Removes the file at the commit. A missing file is no failure. */
    readonly remove: (id: FileId) => Effect.Effect<void, never, Transaction>
  }> & {
    /**
     * Stores the bytes under a new id in chunks, outside of a unit of work. The file exists after success. A sweep deletes the remains of a failed
     * write.
     */
    readonly write: <E>(
      id: FileId,
      bytes: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<{ readonly size: number }, E, Tenancy>
  }
>()("@parley/domain/platform/files/Files") {}

/** Frees the space of unreadable files of the organization. */
export class FileSweep extends Context.Service<
  FileSweep,
  TenantScoped<{
    /** Deletes removed files, and incomplete files after a day. Returns the count. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/platform/files/FileSweep") {}
