import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { type Fields, Refused, refusePlainly } from "../checks.ts"
import type { ChatSimulatorOptions } from "../Options.ts"
import { checkAnalytics, checkComparison } from "../templates/analytics.ts"
import { checkComponents, checkSubmission } from "../templates/checkSubmission.ts"
import { searchLibrary } from "../templates/library.ts"
import { fromLibrary } from "../templates/fromLibrary.ts"
import { makeTemplateLimits } from "../templates/limits.ts"
import { migrateTemplates } from "../templates/migrate.ts"
import { previewsOf } from "../templates/previews.ts"
import type { TemplateLife } from "../templates/life.ts"
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
  const { checkLimits, hasSameText, ofAccount } = makeTemplateLimits(world, timeline, options)

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
    fileOfHandle: (handle: string) => uploads.ofHandle(handle),
    hasCatalog: account.hasCatalog
  })

  const upsert = (account: AccountState, fields: Fields): object => {
    const languages = fields["languages"]
    if (!Array.isArray(languages) || languages.length === 0)
      return refusePlainly(100, "(#100) Param languages is required.")
    const unexpected = ["language", "text", "autofill_text"].find((name) => fields[name] !== undefined)
    if (unexpected !== undefined) return refusePlainly(100, `(#100) Unexpected key "${unexpected}".`)
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
    compare: onTemplate(({ businessId, id }, _, { query }) => {
      const both = [id, checkComparison(query, id, (other) => find(other)?.businessId === businessId)]
      return {
        data: [
          { metric: "BLOCK_RATE", type: "RELATIVE", order_by_relative_metric: both },
          {
            metric: "MESSAGE_SENDS",
            type: "NUMBER_VALUES",
            number_values: both.map((key) => ({ key, value: 0 }))
          }
        ]
      }
    }),
    previews: onAccount((_, fields) => previewsOf(fields)),
    library: (call: Call) =>
      scripted("templates", call, () => {
        access.tokenFor(call)
        return { data: searchLibrary(call.query) }
      }),
    analytics: onAccount((account, _, call) => {
      const ids = new Set(ofAccount(account.id).map(({ id }) => id))
      checkAnalytics(account, call.query, timeline.now(), (id) => ids.has(id))
      return pageOf(
        [{ granularity: "DAILY", product_type: "cloud_api", data_points: [] }],
        call.query,
        `${call.origin}/${call.id}/template_analytics`,
        (each) => each
      )
    }),
    archive: onAccount((account, fields, call) => {
      const ids = String(fields["hsm_ids"] ?? "").split(",")
      for (const template of ofAccount(account.id)) {
        if (ids.includes(template.id)) life.decide(template, call.sub === "archive" ? "ARCHIVED" : "UNARCHIVED")
      }
      return success
    }),
    migrate: onAccount((account, fields) =>
      migrateTemplates(world, account, fields, (template) => {
        try {
          checkLimits(account, template)
        } catch (thrown) {
          if (thrown instanceof Refused) return thrown.refusal.user?.title ?? thrown.refusal.message
          throw thrown
        }
        life.add(template)
        return null
      })
    )
  }
}
export type Templates = ReturnType<typeof makeTemplates>
