import { Context, type DateTime, type Effect } from "effect"
import type { FileId } from "../../platform/files/index.ts"
import type { NotFound, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ContactImportId, ImportFault, ImportOrder } from "./ContactImport.ts"

/** The imports of contacts of the organization, the files that wait for one, and the rows that were bad. */
export class ContactImports extends Context.Service<
  ContactImports,
  TenantScoped<{
    readonly get: (id: ContactImportId) => Effect.Effect<ImportOrder, NotFound>
    readonly insert: (order: ImportOrder) => Effect.Effect<void, never, Transaction>
    /** Names further columns that the file has, behind those that are known. None of them is among those. */
    readonly addColumns: (
      id: ContactImportId,
      columns: ReadonlyArray<string>
    ) => Effect.Effect<void, never, Transaction>
    /** Adds faults behind those that there are. */
    readonly addFaults: (
      id: ContactImportId,
      faults: ReadonlyArray<ImportFault>
    ) => Effect.Effect<void, never, Transaction>
    /** At most `limit` faults with higher numbers than that, the lowest first. */
    readonly faults: (id: ContactImportId, after: number, limit: number) => Effect.Effect<ReadonlyArray<ImportFault>>
    /** Notes that a file is about to be written for an import, so that it is found if nobody comes back for it. */
    readonly expectFile: (file: FileId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Forgets a file that no import has; says whether it was one. */
    readonly forgetFile: (file: FileId) => Effect.Effect<boolean, never, Transaction>
  }>
>()("@parley/domain/crm/imports/ContactImports") {}

/** Removes what imports of the organization leave behind. */
export class ContactImportRemains extends Context.Service<
  ContactImportRemains,
  TenantScoped<{
    /**
     * Removes the files of imports that have ended and those that came a day ago and are for no import, and bad rows
     * that are thirty days old; says how many.
     */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/crm/imports/ContactImportRemains") {}
