import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { type Fields, numberAt, refuseForUser, refusePlainly } from "../checks.ts"
import type { ChatSimulatorOptions } from "../Options.ts"
import { checkComponents, checkSubmission } from "../templates/checkSubmission.ts"
import { searchLibrary } from "../templates/library.ts"
import { fromLibrary } from "../templates/fromLibrary.ts"
import { previewsOf } from "../templates/previews.ts"
import type { NewTemplate, TemplateLife } from "../templates/life.ts"
import { templateFields } from "../templates/shown.ts"
import type { KeptTemplate, World } from "../World.ts"
import type { AccountState } from "../world/AccountState.ts"
import { type Access, unknownObject } from "./access.ts"
import { type Call, type Handler, parametersOf, type Scripted, success } from "./Call.ts"
import { pageOf, selectFields } from "./fields.ts"
import type { Health } from "./health.ts"
import { editTemplate } from "../templates/edit.ts"
import { removeTemplates } from "../templates/remove.ts"
import type { Uploads } from "./uploads.ts"

/** Maximum number of templates that one call migrates. */
const maxMigrated = 500

const hour = 3_600_000

const defaultFields = ["name", "parameter_format", "components", "language", "status", "category"]
/** Fields of listed templates that earlier clients rely on. */
const listedFields = [...defaultFields, "rejected_reason", "quality_score", "previous_category"]

const filters: ReadonlyArray<readonly [name: string, fits: (template: KeptTemplate, value: string) => boolean]> = [
  ["status", (template, value) => template.status === value.toUpperCase()],
  ["category", (template, value) => template.category === value.toUpperCase()],
  ["language", (template, value) => template.language === value],
  ["name", (template, value) => template.name === value],
  ["name_or_content", (template, value) => JSON.stringify([template.name, template.components]).includes(value)],
  ["content", (template, value) => JSON.stringify(template.components).includes(value)],
  ["quality_score", (template, value) => template.quality === value.toUpperCase()]
]

/** Message templates. */
export const makeTemplates = (
  world: World,
  timeline: Timeline,
  life: TemplateLife,
  access: Access,
  scripted: Scripted,
  health: Health,
  uploads: Uploads,
  options: ChatSimulatorOptions
) => {
  const perHour = options.templatesPerHour ?? 100
  const maxTemplates = options.maxTemplates ?? 250

  const ofAccount = (businessId: string) =>
    [...world.templates.values()].filter((template) => template.businessId === businessId)

  const shown = (template: KeptTemplate, fields: string | null, defaults = defaultFields) =>
    selectFields(
      "MessageTemplate",
      templateFields(template, () => health.ofTemplate(template)),
      fields,
      defaults
    )

  const list = (call: Call): object => {
    const all = ofAccount(call.id).filter((template) =>
      filters.every(([name, fits]) => {
        const wanted = call.query.get(name)
        return wanted === null || fits(template, wanted)
      })
    )
    const address = `${call.origin}${call.version === "" ? "" : `/${call.version}`}/${call.id}/message_templates`
    return pageOf(all, call.query, address, (template) => shown(template, call.query.get("fields"), listedFields))
  }

  const checkLimits = (account: AccountState, template: Pick<NewTemplate, "name" | "language" | "category">) => {
    const now = timeline.now()
    account.templateCreations = account.templateCreations.filter((at) => at > now - hour)
    if (account.templateCreations.length >= perHour) {
      refusePlainly(
        80_008,
        "(#80008) There have been too many calls to this WhatsApp Business account. Wait a bit and try again."
      )
    }
    const own = ofAccount(account.id)
    if (own.length >= maxTemplates) {
      refuseForUser(
        2_388_019,
        "Template limit exceeded",
        `The account has ${maxTemplates} templates. Delete some of them.`
      )
    }
    if (own.some(({ language, name }) => name === template.name && language === template.language)) {
      refuseForUser(
        2_388_024,
        "Content in this language already exists",
        `There is already ${template.language} content for this template. You can create a new template and try again.`
      )
    }
    if ((account.blockedNames.get(template.name) ?? 0) > now) {
      refuseForUser(
        2_388_023,
        "Message template language is being deleted",
        `The name ${template.name} belonged to a deleted template. It can be used again 30 days after the deletion.`
      )
    }
    if (
      template.category === "UTILITY" &&
      account.restrictions.some(({ type }) => type === "RESTRICTED_UTILITY_TEMPLATES")
    ) {
      refusePlainly(368, "(#368) The account cannot create utility templates at present.")
    }
  }

  /** Review rejects a template whose body and footer another one already has. */
  const hasSameText = (account: AccountState, components: ReadonlyArray<Fields>) => {
    const textOf = (all: ReadonlyArray<Fields>) =>
      JSON.stringify(["BODY", "FOOTER"].map((type) => all.find((part) => part["type"] === type)?.["text"]))
    return ofAccount(account.id).some((other) => textOf(other.components) === textOf(components))
  }

  const submit = (account: AccountState, fields: Fields): object => {
    const isOfLibrary = fields["library_template_name"] !== undefined
    const checked = isOfLibrary
      ? fromLibrary(account.id, fields)
      : { businessId: account.id, ...checkSubmission(fields, rulesOf(account)) }
    checkLimits(account, checked)
    account.templateCreations = [...account.templateCreations, timeline.now()]
    const isDuplicate =
      !isOfLibrary && checked.category !== "AUTHENTICATION" && hasSameText(account, checked.components)
    const template = life.add(checked, isDuplicate && options.rejectsDuplicates !== false)
    return { id: template.id, status: template.status, category: template.category }
  }

  const rulesOf = (account: AccountState) => ({
    fileOfHandle: (handle: string) => uploads.ofHandle(handle)?.fileType,
    hasCatalog: account.hasCatalog
  })

  const upsert = (account: AccountState, fields: Fields): object => {
    const languages = fields["languages"]
    if (!Array.isArray(languages) || languages.length === 0)
      return refusePlainly(100, "(#100) Param languages is required.")
    const data = languages.map((language) => {
      const checked = checkSubmission({ ...fields, languages: undefined, language: String(language) }, rulesOf(account))
      const existing = ofAccount(account.id).find(
        (template) => template.name === checked.name && template.language === checked.language
      )
      if (existing === undefined) checkLimits(account, checked)
      else existing.components = checked.components
      const { id, language: kept, status } = existing ?? life.add({ businessId: account.id, ...checked })
      return { id, status, language: kept }
    })
    return { data }
  }

  const find = (id: string): KeptTemplate | undefined =>
    [...world.templates.values()].find((template) => template.id === id)

  const requireTemplate = (call: Call): KeptTemplate => {
    const template = find(call.id)
    const token = access.tokenFor(call)
    if (template === undefined || !token.businesses.has(template.businessId)) {
      return unknownObject(call.id, call.request.method)
    }
    access.requireAccount(call, template.businessId)
    return template
  }

  const onAccount =
    (perform: (account: AccountState, fields: Fields, call: Call) => object): Handler =>
    (call) =>
      Effect.gen(function* () {
        const account = access.requireAccount(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("templates", call, () => perform(account, fields, call))
      })

  const onTemplate =
    (perform: (template: KeptTemplate, fields: Fields, call: Call) => object): Handler =>
    (call) =>
      Effect.gen(function* () {
        const template = requireTemplate(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("templates", call, () => perform(template, fields, call))
      })

  return {
    isTemplate: (id: string) => find(id) !== undefined,
    list: onAccount((_, __, call) => list(call)),
    submit: onAccount(submit),
    upsert: onAccount(upsert),
    remove: onAccount((account, fields) => removeTemplates(world, timeline.now(), account, fields)),
    read: onTemplate((template, _, call) => shown(template, call.query.get("fields"))),
    edit: onTemplate((template, fields) =>
      editTemplate(template, fields, {
        now: timeline.now(),
        check: (category, components, format) =>
          checkComponents(category, components, format, rulesOf(world.accountOf(template.businessId, false))),
        review: () => life.review(template)
      })
    ),
    unpause: onTemplate((template) => {
      if (template.status !== "PAUSED" || !template.isPacingPaused) {
        return refusePlainly(100, "(#100) Only a template that pacing has paused can be unpaused.")
      }
      life.unpause(template)
      return success
    }),
    compare: onTemplate((template) => ({
      data: [
        { metric: "BLOCK_RATE", type: "RELATIVE", order_by_relative_metric: [template.id] },
        { metric: "MESSAGE_SENDS", type: "NUMBER_VALUES", number_values: [{ key: template.id, value: 0 }] }
      ]
    })),
    previews: onAccount((_, fields) => previewsOf(fields)),
    library: (call: Call) =>
      scripted("templates", call, () => {
        access.tokenFor(call)
        return { data: searchLibrary(call.query) }
      }),
    analytics: onAccount((_, __, call) =>
      pageOf(
        [{ granularity: "DAILY", product_type: "cloud_api", data_points: [] }],
        call.query,
        `${call.origin}/${call.id}/template_analytics`,
        (each) => each
      )
    ),
    archive: onAccount((account, fields, call) => {
      const ids = String(fields["hsm_ids"] ?? "").split(",")
      for (const template of ofAccount(account.id)) {
        if (ids.includes(template.id)) life.decide(template, call.sub === "archive" ? "ARCHIVED" : "UNARCHIVED")
      }
      return success
    }),
    migrate: onAccount((account, fields) => {
      const source = String(fields["source_waba_id"] ?? "")
      const migrated = ofAccount(source)
        .filter(({ quality, status }) => status === "APPROVED" && (quality === "GREEN" || quality === "UNKNOWN"))
        .slice(0, numberAt(Number(fields["count"] ?? maxMigrated), "count", 1, maxMigrated))
      for (const template of migrated) life.add({ ...template, businessId: account.id })
      return success
    })
  }
}
export type Templates = ReturnType<typeof makeTemplates>
