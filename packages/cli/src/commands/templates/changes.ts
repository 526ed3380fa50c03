import {
  AuthenticationTemplates,
  ChatAccountId,
  LibraryQuery,
  MessageTemplateId,
  MessageTemplatePatch,
  NewLibraryMessageTemplate,
  NewMessageTemplate,
  TemplateContentToPreview,
  TemplateInputs
} from "@parley/domain/messaging"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printJson, printList, printOne } from "../../console/print.ts"
import { jsonFile, jsonFlag, typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { previewLines } from "./componentLines.ts"
import { libraryView, listView, view } from "./views.ts"

const template = typedArgument("template", MessageTemplateId).pipe(
  Argument.withDescription("Id of the message template")
)

const file = Flag.String("file").pipe(
  Flag.withAlias("f"),
  Flag.withMetavar("file"),
  Flag.withDescription("JSON file with the fields of the API")
)

const output = { json: Flags.json, quiet: Flags.quiet }

export const show = Command.make(
  "show",
  { org: Flags.org, template, json: Flags.json },
  Effect.fn(function* ({ json, org, template: id }) {
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.get({ params: { id } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(
  Command.withDescription(
    "Show a message template: its components, its variables, and the reason and advice of its status"
  )
)

export const create = Command.make(
  "create",
  { org: Flags.org, file, ...output },
  Effect.fn(function* ({ file, json, org, quiet }) {
    const payload = yield* jsonFile(file, NewMessageTemplate, `The file ${file} is not a message template:`)
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.create({ payload }), (draft) => printOne(view, { json, quiet }, draft))
    )
  })
).pipe(
  Command.withDescription("Create a draft from a file"),
  Command.withExamples([{ command: "parley templates create --org acme --file order-ready.json" }])
)

export const submit = Command.make(
  "submit",
  { org: Flags.org, template, ...output },
  Effect.fn(function* ({ json, org, quiet, template: id }) {
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.submit({ params: { id } }), (sent) => printOne(view, { json, quiet }, sent))
    )
  })
).pipe(Command.withDescription("Submit a draft, or a corrected rejected template, for review"))

export const edit = Command.make(
  "edit",
  { org: Flags.org, template, file, ...output },
  Effect.fn(function* ({ file, json, org, quiet, template: id }) {
    const payload = yield* jsonFile(file, MessageTemplatePatch, `The file ${file} is not a change of a template:`)
    const params = { id }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ messageTemplates }) {
        const { version } = yield* messageTemplates.get({ params })
        const edited = yield* messageTemplates.edit({ params, headers: { "if-match": version }, payload })
        yield* printOne(view, { json, quiet }, edited)
      })
    )
  })
).pipe(
  Command.withDescription("Change an approved, paused or rejected template at the provider"),
  Command.withExamples([{ command: "parley templates edit 0195... --org acme --file change.json" }])
)

export const update = Command.make(
  "update",
  { org: Flags.org, template, file, ...output },
  Effect.fn(function* ({ file, json, org, quiet, template: id }) {
    const payload = yield* jsonFile(file, MessageTemplatePatch, `The file ${file} is not a change of a template:`)
    const params = { id }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ messageTemplates }) {
        const { version } = yield* messageTemplates.get({ params })
        const updated = yield* messageTemplates.update({ params, headers: { "if-match": version }, payload })
        yield* printOne(view, { json, quiet }, updated)
      })
    )
  })
).pipe(
  Command.withDescription("Change a draft or a rejected template"),
  Command.withExamples([{ command: "parley templates update 0195... --org acme --file change.json" }])
)

export const preview = Command.make(
  "preview",
  {
    org: Flags.org,
    template,
    values: jsonFlag("values", TemplateInputs).pipe(
      Flag.withDescription("Values of the variables; without them, the examples of the template"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, template: id, values }) {
    const payload = Option.isSome(values) ? { values: values.value } : {}
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.preview({ params: { id }, payload }), (found) =>
        json ? printJson(found) : Console.log(previewLines(found).join("\n"))
      )
    )
  })
).pipe(
  Command.withDescription("Show a template as a person sees it"),
  Command.withExamples([{ command: `parley templates preview 0195... --org acme --values '{"body.1":"Marie"}'` }])
)

export const previewContent = Command.make(
  "preview-content",
  { org: Flags.org, file, json: Flags.json },
  Effect.fn(function* ({ file, json, org }) {
    const payload = yield* jsonFile(
      file,
      TemplateContentToPreview,
      `The file ${file} is not the content of a template:`
    )
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.previewContent({ payload }), (found) =>
        json ? printJson(found) : Console.log(previewLines(found).join("\n"))
      )
    )
  })
).pipe(
  Command.withDescription("Show the content of a file as a person sees it, and report its issues"),
  Command.withExamples([{ command: "parley templates preview-content --org acme --file order-ready.json" }])
)

export const unpause = Command.make(
  "unpause",
  { org: Flags.org, template, ...output },
  Effect.fn(function* ({ json, org, quiet, template: id }) {
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.unpause({ params: { id } }), (found) => printOne(view, { json, quiet }, found))
    )
  })
).pipe(Command.withDescription("End a pause by pacing"))

export const archive = Command.make(
  "archive",
  { org: Flags.org, template, ...output },
  Effect.fn(function* ({ json, org, quiet, template: id }) {
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.archive({ params: { id } }), (found) => printOne(view, { json, quiet }, found))
    )
  })
).pipe(Command.withDescription("Archive an approved template, which then cannot be sent"))

export const unarchive = Command.make(
  "unarchive",
  { org: Flags.org, template, ...output },
  Effect.fn(function* ({ json, org, quiet, template: id }) {
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.unarchive({ params: { id } }), (found) => printOne(view, { json, quiet }, found))
    )
  })
).pipe(Command.withDescription("Return an archived template to use"))

export const upsertAuthentication = Command.make(
  "upsert-authentication",
  { org: Flags.org, file, ...output },
  Effect.fn(function* ({ file, json, org, quiet }) {
    const payload = yield* jsonFile(file, AuthenticationTemplates, `The file ${file} is not valid:`)
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.upsertAuthentication({ payload }), ({ data }) =>
        printList(listView, { json, quiet }, data, false)
      )
    )
  })
).pipe(
  Command.withDescription("Create or replace authentication templates in several languages from a file"),
  Command.withExamples([{ command: "parley templates upsert-authentication --org acme --file login-code.json" }])
)

export const deleteCommand = Command.make(
  "delete",
  { org: Flags.org, template },
  Effect.fn(function* ({ org, template: id }) {
    const params = { id }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ messageTemplates }) {
        const { version } = yield* messageTemplates.get({ params })
        yield* messageTemplates.delete({ params, headers: { "if-match": version } })
        yield* Console.error(`Deleted: ${id}.`)
      })
    )
  })
).pipe(Command.withDescription("Delete a message template, also at the provider"))

const search = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

export const library = Command.make(
  "library",
  {
    org: Flags.org,
    account: typedFlag("chat-account", ChatAccountId).pipe(Flag.withDescription("Id of the chat account")),
    search: search("search", "Text in the name or the body"),
    language: typedFlag("language", LibraryQuery.fields.language).pipe(
      Flag.withDescription("Language, such as en-US"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ account, json, language, org, search }) {
    const query = {
      chatAccountId: account,
      ...(Option.isSome(search) && { search: search.value }),
      ...(Option.isSome(language) && { language: language.value })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ messageTemplates }) {
        const { data } = yield* messageTemplates.library({ query })
        const rows = data.map((each) => ({ ...each, id: each.name }))
        yield* printList(libraryView, { json, quiet: false }, rows, false)
      })
    )
  })
).pipe(Command.withDescription("List templates of the provider's library"))

export const createFromLibrary = Command.make(
  "create-from-library",
  { org: Flags.org, file, ...output },
  Effect.fn(function* ({ file, json, org, quiet }) {
    const payload = yield* jsonFile(file, NewLibraryMessageTemplate, `The file ${file} is not valid:`)
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.createFromLibrary({ payload }), (found) => printOne(view, { json, quiet }, found))
    )
  })
).pipe(Command.withDescription("Create a template from the provider's library, and submit it"))
