import { Effect, Stream } from "effect"
import type { ProviderConnection } from "./ProviderConnection.ts"
import type { MessageTemplate } from "./MessageTemplate.ts"
import type { ChannelFailure } from "./errors.ts"

/** A part of a template, as the provider keeps it. */
export type TemplatePart =
  | {
      readonly type: "header"
      readonly format: "text" | "image" | "video" | "document" | "location"
      readonly text: string | null
      readonly example: ReadonlyArray<string>
    }
  | { readonly type: "body"; readonly text: string; readonly example: Readonly<Record<string, string>> }
  | { readonly type: "footer"; readonly text: string }
  | {
      readonly type: "buttons"
      readonly buttons: ReadonlyArray<
        | { readonly type: "quick_reply"; readonly text: string }
        | { readonly type: "url"; readonly text: string; readonly url: string; readonly example: string | null }
        | { readonly type: "phone_number"; readonly text: string; readonly phone: string }
        | { readonly type: "copy_code"; readonly example: string }
      >
    }

/** A template, as the provider keeps it. */
export interface ProviderTemplate {
  readonly externalId: string
  readonly name: string
  readonly language: string
  readonly category: "marketing" | "utility" | "authentication"
  readonly named: boolean
  /** `null` where some part is of a sort that nothing here can fill: without it, the template could not be sent. */
  readonly parts: ReadonlyArray<TemplatePart> | null
  readonly status: "approved" | "rejected" | "pending" | "paused" | "disabled"
  readonly rejectionReason: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
}

/** A template, as it is submitted. */
export interface TemplateSubmission extends Pick<ProviderTemplate, "name" | "language" | "category" | "named"> {
  readonly parts: ReadonlyArray<TemplatePart>
}

/** Hands templates to a provider, which decides about them and keeps them. */
export interface TemplateApproval {
  readonly submit: (
    line: ProviderConnection,
    template: TemplateSubmission
  ) => Effect.Effect<Pick<ProviderTemplate, "externalId" | "status" | "category">, ChannelFailure>
  readonly remove: (line: ProviderConnection, name: string, externalId: string) => Effect.Effect<void, ChannelFailure>
  /** Every template of the business account, page by page. */
  readonly list: (line: ProviderConnection) => Stream.Stream<ProviderTemplate, ChannelFailure>
}

/** The provider's template with the same name and language; `null` if there is none. */
export const findProviderTemplate = Effect.fnUntraced(function* (
  templates: TemplateApproval,
  line: ProviderConnection,
  { language, name }: Pick<MessageTemplate, "language" | "name">
) {
  const [kept] = yield* templates.list(line).pipe(
    Stream.filter((each) => each.name === name && each.language === language),
    Stream.take(1),
    Stream.runCollect
  )
  return kept ?? null
})
