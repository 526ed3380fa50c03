import { Context, type Effect } from "effect"
import type { NotFound, TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import type { ContactField } from "./ContactField.ts"
import type { NameTaken } from "./Errors.ts"
import type { ContactFieldId } from "./Ids.ts"

/** The most custom fields an organization may have. */
export const mostContactFields = 100

/** The custom fields of the organization: never more than `mostContactFields`. */
export class ContactFields extends Context.Service<
  ContactFields,
  TenantScoped<{
    readonly get: (id: ContactFieldId) => Effect.Effect<ContactField, NotFound>
    /** Every one of them, those that are being deleted too, oldest first. */
    readonly all: () => Effect.Effect<ReadonlyArray<ContactField>>
    /** Keys are taken, whatever their case, also by fields that are being deleted. */
    readonly insert: (field: ContactField) => Effect.Effect<void, NameTaken, Transaction>
    readonly save: (
      field: ContactField,
      expected: number | null
    ) => Effect.Effect<ContactField, NotFound | VersionConflict, Transaction>
    readonly remove: (id: ContactFieldId) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/crm/ContactFields") {}
