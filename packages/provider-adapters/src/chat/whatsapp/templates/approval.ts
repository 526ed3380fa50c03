import type { ChannelFailure, ProviderConnection, SubmittedTemplate, TemplateApproval } from "@parley/domain/messaging"
import { Effect, Option, Stream } from "effect"
import { HttpClientRequest } from "effect/http"
import { at, idAt, listAt, textAt } from "../../../json.ts"
import { authorized, type Graph } from "../Graph.ts"
import {
  archiveOut,
  editOut,
  listedStatus,
  templateCategory,
  templateFields,
  templateIn,
  templateOut
} from "../templates.ts"
import { upsertedIn, upsertOut } from "./authenticationUpsert.ts"
import { libraryQueryOut, librarySubmissionOut, libraryTemplateIn } from "./library.ts"
import { withTemplateAdvice } from "./refusals.ts"
import { uploadResumably } from "./resumableUpload.ts"

const succeeded = (body: unknown): true | null => (at(body, "success") === true ? true : null)

const submittedIn =
  (category: SubmittedTemplate["category"]) =>
  (body: unknown): SubmittedTemplate | null => {
    const externalId = idAt(body, "id")
    return externalId === null
      ? null
      : {
          externalId,
          status: listedStatus(textAt(body, "status")),
          category: templateCategory(textAt(body, "category")) ?? category
        }
  }

const advised = <A>(call: Effect.Effect<A, ChannelFailure>) =>
  Effect.mapError(call, (failure) => (failure._tag === "ChannelRefused" ? withTemplateAdvice(failure) : failure))

/** Templates of the WhatsApp Business Account of a number. */
export const makeTemplateApproval = (graph: Graph["Service"]): TemplateApproval => {
  const { ask, settings } = graph
  const address = (...path: ReadonlyArray<string>) => [settings.root, ...path.map(encodeURIComponent)].join("/")
  const secrets = (line: ProviderConnection) => [line.accessToken]
  const post = (line: ProviderConnection, path: ReadonlyArray<string>, body: unknown) =>
    HttpClientRequest.post(address(...path)).pipe(authorized(line), HttpClientRequest.bodyJsonUnsafe(body))
  const get = (line: ProviderConnection, path: ReadonlyArray<string>, urlParams: Readonly<Record<string, string>>) =>
    HttpClientRequest.get(address(...path), { urlParams }).pipe(authorized(line))

  const page = (line: ProviderConnection, after: string) =>
    ask(
      get(line, [line.businessId, "message_templates"], {
        fields: templateFields,
        limit: "100",
        ...(after === "" ? {} : { after })
      }),
      secrets(line),
      (body) => {
        const data = at(body, "data")
        if (!Array.isArray(data)) return null
        const next = textAt(body, "paging", "next") === null ? null : textAt(body, "paging", "cursors", "after")
        return [data.flatMap(templateIn), Option.fromNullOr(next === after ? null : next)] as const
      }
    )

  const create = (line: ProviderConnection, body: unknown, category: SubmittedTemplate["category"]) =>
    advised(ask(post(line, [line.businessId, "message_templates"], body), secrets(line), submittedIn(category)))

  const archiving = (line: ProviderConnection, action: "archive" | "unarchive", externalIds: ReadonlyArray<string>) => {
    const path = [encodeURIComponent(line.businessId), "message_templates", action].join("/")
    const request = HttpClientRequest.post(`${settings.archiveRoot}/${path}`).pipe(
      authorized(line),
      HttpClientRequest.bodyJsonUnsafe(archiveOut(externalIds))
    )
    return Effect.asVoid(ask(request, secrets(line), succeeded))
  }

  return {
    uploadSample: (line, file) => uploadResumably(graph, line, file),
    submit: (line, template) => create(line, templateOut(template), template.category),
    submitFromLibrary: (line, template) => create(line, librarySubmissionOut(template), template.category),
    edit: (line, externalId, edit) =>
      Effect.asVoid(advised(ask(post(line, [externalId], editOut(edit)), secrets(line), succeeded))),
    unpause: (line, externalId) =>
      Effect.asVoid(ask(post(line, [externalId, "unpause"], {}), secrets(line), succeeded)),
    upsertAuthentication: (line, templates) =>
      advised(
        ask(post(line, [line.businessId, "upsert_message_templates"], upsertOut(templates)), secrets(line), upsertedIn)
      ),
    archive: (line, externalIds) => archiving(line, "archive", externalIds),
    unarchive: (line, externalIds) => archiving(line, "unarchive", externalIds),
    remove: (line, name, externalId) =>
      Effect.asVoid(
        ask(
          HttpClientRequest.delete(address(line.businessId, "message_templates"), {
            urlParams: { name, hsm_id: externalId }
          }).pipe(authorized(line)),
          secrets(line),
          succeeded
        )
      ),
    list: (line) => Stream.paginate("", (after: string) => page(line, after)),
    library: (line, query) =>
      ask(get(line, ["message_template_library"], libraryQueryOut(query)), secrets(line), (body) => {
        const data = at(body, "data")
        return Array.isArray(data) ? listAt(body, "data").flatMap(libraryTemplateIn) : null
      })
  }
}
