import { Page } from "@parley/domain/kernel"
import {
  AuthenticationTemplates,
  ChatAccountId,
  LibraryQuery,
  LibraryTemplate,
  MessageTemplate,
  MessageTemplateId,
  MessageTemplatePatch,
  NewLibraryMessageTemplate,
  NewMessageTemplate,
  TemplateContentToPreview,
  TemplateInputs,
  TemplatePreview,
  TemplateStatus,
  TemplateSyncResult
} from "@parley/domain/messaging"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const template = idOf(MessageTemplateId, "message template")

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const
const provider = [Problems.UnsupportedByChannel, Problems.ProviderRefused, Problems.ProviderUnreachable] as const

/** Message templates: what may be sent outside of a conversation. */
export class MessageTemplatesApi extends HttpApiGroup.make("messageTemplates")
  .add(
    HttpApiEndpoint.get("list", "/message_templates", {
      query: {
        ...PageQuery,
        chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
          description: "Only templates of this chat account."
        }),
        status: Schema.optionalKey(TemplateStatus).annotateKey({ description: "Only templates in this status." }),
        name: Schema.optionalKey(
          Schema.String.check(
            Schema.isPattern(/^[a-z0-9_]{1,512}$/u, { message: "Expected lower-case letters, digits and underscores" })
          )
        ).annotateKey({ description: "Prefix of the name." })
      },
      success: Page(MessageTemplate),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(describe("listMessageTemplates", "List message templates", "By name, then by language.")),
    HttpApiEndpoint.post("create", "/message_templates", {
      payload: NewMessageTemplate,
      success: MessageTemplate.pipe(HttpApiSchema.status(201)),
      error: [...read, Problems.UnsupportedByChannel, Problems.MessageTemplateExists]
    })
      .annotateMerge(
        describe(
          "createMessageTemplate",
          "Create a message template",
          "It is a draft until it is submitted. Variables in its texts are `{{1}}` or `{{first_name}}`; each needs an example for the review. Headers with a file need a sample: an uploaded media id."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("library", "/message_templates/library", {
      query: {
        chatAccountId: ChatAccountId.annotateKey({ description: "Chat account that reads the library." }),
        ...LibraryQuery.fields
      },
      success: Schema.Struct({ data: Schema.Array(LibraryTemplate) }).annotate({ identifier: "LibraryTemplates" }),
      error: [...read, ...provider, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "listLibraryMessageTemplates",
          "List templates of the provider's library",
          "Templates with a fixed text that are usually approved immediately."
        )
      )
      .annotateMerge(asksProvider),
    HttpApiEndpoint.post("createFromLibrary", "/message_templates/from_library", {
      payload: NewLibraryMessageTemplate,
      success: MessageTemplate.pipe(HttpApiSchema.status(201)),
      error: [...read, Problems.MessageTemplateExists, ...provider, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "createLibraryMessageTemplate",
          "Create a message template from the library",
          "Submits the template immediately. The provider checks the types of the values when it is sent."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("upsertAuthentication", "/message_templates/authentication", {
      payload: AuthenticationTemplates,
      success: Schema.Struct({ data: Schema.Array(MessageTemplate) }).annotate({
        identifier: "UpsertedMessageTemplates"
      }),
      error: [
        ...read,
        Problems.MessageTemplateExists,
        Problems.MessageTemplateStatusInvalid,
        ...provider,
        Problems.Unavailable
      ]
    })
      .annotateMerge(
        describe(
          "upsertAuthenticationMessageTemplates",
          "Create or replace authentication templates",
          "Submits one content in several languages under one name. Existing authentication templates with this name and language are replaced, also drafts; a template of another category is 409 `message_template_exists`. The provider writes all texts. The answer has a template for each language that the provider accepted."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/message_templates/:id", {
      params: template,
      success: MessageTemplate,
      error: read
    }).annotateMerge(describe("getMessageTemplate", "Get a message template")),
    HttpApiEndpoint.patch("update", "/message_templates/:id", {
      params: template,
      headers: IfMatch,
      payload: MessageTemplatePatch,
      success: MessageTemplate,
      error: [...changed, Problems.MessageTemplateStatusInvalid]
    }).annotateMerge(
      describe(
        "updateMessageTemplate",
        "Update a message template",
        "Possible for drafts and rejected templates. The provider receives the change on submission."
      )
    ),
    HttpApiEndpoint.post("edit", "/message_templates/:id/edit", {
      params: template,
      headers: IfMatch,
      payload: MessageTemplatePatch,
      success: MessageTemplate,
      error: [
        ...changed,
        Problems.MessageTemplateStatusInvalid,
        Problems.MessageTemplateEditLimited,
        ...provider,
        Problems.Unavailable
      ]
    })
      .annotateMerge(
        describe(
          "editMessageTemplate",
          "Edit a submitted message template",
          "Changes an approved, paused or rejected template at the provider. Approved templates can be edited once a day and ten times in 30 days; their category is fixed. An approved template stays in use unless the review rejects the change."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("unpause", "/message_templates/:id/unpause", {
      params: template,
      success: MessageTemplate,
      error: [...read, Problems.MessageTemplateStatusInvalid, ...provider, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "unpauseMessageTemplate",
          "Unpause a message template",
          "Ends a pause by pacing. Pauses for low quality end automatically after 3 or 6 hours."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("archive", "/message_templates/:id/archive", {
      params: template,
      success: MessageTemplate,
      error: [...read, Problems.MessageTemplateStatusInvalid, ...provider, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "archiveMessageTemplate",
          "Archive a message template",
          "Archives an approved template at the provider. An archived template cannot be sent: sending is 409 `template_not_approved`."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("unarchive", "/message_templates/:id/unarchive", {
      params: template,
      success: MessageTemplate,
      error: [...read, Problems.MessageTemplateStatusInvalid, ...provider, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "unarchiveMessageTemplate",
          "Unarchive a message template",
          "Returns an archived template to use. Its status is the status at the provider."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.delete("delete", "/message_templates/:id", {
      params: template,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.MessageTemplateStatusInvalid, ...provider]
    }).annotateMerge(
      describe("deleteMessageTemplate", "Delete a message template", "Also deletes it at the provider.")
    ),
    HttpApiEndpoint.post("submit", "/message_templates/:id/submit", {
      params: template,
      success: MessageTemplate,
      error: [...read, Problems.MessageTemplateStatusInvalid, ...provider, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "submitMessageTemplate",
          "Submit a message template for review",
          "The provider decides, usually within minutes. The event `message_template.status_changed` reports the decision."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("preview", "/message_templates/:id/preview", {
      params: template,
      payload: Schema.Struct({ values: Schema.optionalKey(TemplateInputs) }).annotate({
        identifier: "TemplateToPreview"
      }),
      success: TemplatePreview,
      error: read
    })
      .annotateMerge(
        describe(
          "previewMessageTemplate",
          "Preview a message template",
          "Renders the template with its variables, as the customer would see it. Missing values, and values that cannot be sent, are refused. Without `values`, the examples of the template fill its variables. Templates without approval can be previewed too. A one-time code is shown as ••••••."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("previewContent", "/message_templates/preview", {
      payload: TemplateContentToPreview,
      success: TemplatePreview,
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(
        describe(
          "previewMessageTemplateContent",
          "Preview the content of a template",
          "Renders components that are not stored, with `values` or with their examples, and reports all issues of the content. Sample files are not needed."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("sync", "/message_templates/sync", {
      payload: Schema.Struct({ chatAccountId: ChatAccountId }).annotate({ identifier: "TemplatesToSync" }),
      success: TemplateSyncResult,
      error: [...read, ...provider, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "syncMessageTemplates",
          "Sync message templates",
          "Copies templates and decisions from the provider; drafts stay."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Message templates", "Messages that the provider approves. They can be sent to a contact at any time.")
  ) {}
