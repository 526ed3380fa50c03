import { Page } from "@parley/domain/kernel"
import { Job } from "@parley/domain/platform"
import {
  ContactField,
  ContactFieldId,
  ContactFieldPatch,
  FilterFieldDescription,
  NewContactField
} from "@parley/domain/crm"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const changed = [Problems.PermissionDenied, Problems.NotFound, Problems.VersionConflict] as const

/** Contact fields: custom fields of contacts, defined by the organization. */
export class ContactFieldsApi extends HttpApiGroup.make("contactFields")
  .add(
    HttpApiEndpoint.get("list", "/contact_fields", {
      query: PageQuery,
      success: Page(ContactField),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listContactFields", "List contact fields", "Oldest first; at most 100.")),
    HttpApiEndpoint.post("create", "/contact_fields", {
      payload: NewContactField,
      success: ContactField.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied, Problems.NameTaken]
    })
      .annotateMerge(
        describe(
          "createContactField",
          "Create a contact field",
          "`key` and `type` cannot change later. Only an enum has choices."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", "/contact_fields/:id", {
      params: idOf(ContactFieldId, "contact field"),
      headers: IfMatch,
      payload: ContactFieldPatch,
      success: ContactField,
      error: changed
    }).annotateMerge(
      describe("updateContactField", "Update a contact field", "Contacts keep the value of a removed choice.")
    ),
    HttpApiEndpoint.delete("delete", "/contact_fields/:id", {
      params: idOf(ContactFieldId, "contact field"),
      headers: IfMatch,
      success: Job.pipe(HttpApiSchema.status(202)),
      error: changed
    }).annotateMerge(
      describe(
        "deleteContactField",
        "Delete a contact field",
        "The field becomes read-only immediately. A job removes its values from all contacts, then the field."
      )
    )
  )
  .add(
    HttpApiEndpoint.get("filters", "/filter_fields", {
      success: Schema.Struct({
        data: Schema.Array(FilterFieldDescription).annotate({
          description: "Fields of contacts, then custom fields, then fields of other areas. The list has no pages."
        })
      }).annotate({ identifier: "FilterFields" }),
      error: [Problems.PermissionDenied]
    }).annotateMerge(
      describe(
        "listFilterFields",
        "List filter fields",
        "Describes what filters of contacts, segments and audiences can use: fields with their operators, value types and choices, including custom fields. Fields that need a permission you lack are left out."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Contact fields", "Typed custom fields of contacts.")) {}
