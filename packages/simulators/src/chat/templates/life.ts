import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import type { ChatSimulatorOptions } from "../Options.ts"
import type { Outbox } from "../Outbox.ts"
import type { KeptTemplate, World } from "../World.ts"

const hour = 3_600_000
const pauseMillis = [3 * hour, 6 * hour]
const categoryNotice = 24 * hour

/** Events after which a template can be sent. */
const approving: ReadonlySet<string> = new Set(["APPROVED", "REINSTATED", "UNARCHIVED", "UNLOCKED"])
/** Events that do not change the status. */
const neutral: ReadonlySet<string> = new Set(["FLAGGED", "LOCKED"])

export interface HeldSend {
  readonly release: () => void
  readonly fail: () => void
}

export type NewTemplate = Pick<
  KeptTemplate,
  "businessId" | "name" | "language" | "category" | "parameterFormat" | "components" | "sendTtlSeconds" | "libraryName"
>

export const templateKey = (businessId: string, name: string, language: string): string =>
  JSON.stringify([businessId, name, language])

/** Review, quality and pauses of templates. */
export const makeTemplateLife = (world: World, timeline: Timeline, outbox: Outbox, options: ChatSimulatorOptions) => {
  const reviewMillis = options.reviewMillis === undefined ? 1_000 : options.reviewMillis
  const held = new Map<string, ReadonlyArray<HeldSend>>()

  const seconds = () => String(Math.floor(timeline.now() / 1_000))

  const tell = (template: KeptTemplate, field: string, value: object) =>
    outbox.tell({
      businessId: template.businessId,
      field,
      value: {
        message_template_id: Number(template.id),
        message_template_name: template.name,
        message_template_language: template.language.replace("_", "-"),
        ...value
      }
    })

  const takeHeld = (template: KeptTemplate): ReadonlyArray<HeldSend> => {
    const sends = held.get(template.id) ?? []
    held.delete(template.id)
    return sends
  }

  const release = (template: KeptTemplate) => {
    for (const send of takeHeld(template)) send.release()
  }

  const details = (event: string, reason: string, title: string | null, description: string) => ({
    ...(event === "DISABLED" || event === "FLAGGED" ? { disable_info: { disable_date: seconds() } } : {}),
    ...(title === null ? {} : { other_info: { title, description } }),
    ...(event === "REJECTED" && reason === "INVALID_FORMAT"
      ? { rejection_info: { reason, recommendation: "Change the template and submit it again." } }
      : {})
  })

  const decide = (template: KeptTemplate, event: string, reason = "NONE", title: string | null = null, text = "") => {
    if (approving.has(event)) template.status = "APPROVED"
    else if (!neutral.has(event)) template.status = event
    template.rejectedReason = event === "REJECTED" ? reason : "NONE"
    tell(template, "message_template_status_update", {
      event,
      reason,
      message_template_category: template.category,
      ...details(event, reason, title, text)
    })
    if (event === "PAUSED" || event === "DISABLED") for (const send of takeHeld(template)) send.fail()
    if (event === "DELETED") world.templates.delete(templateKey(template.businessId, template.name, template.language))
  }

  const pause = (template: KeptTemplate) => {
    template.pauses += 1
    const millis = pauseMillis[template.pauses - 1]
    if (millis === undefined) {
      decide(template, "DISABLED", "NONE", "DISABLED", "The template is disabled because of its quality.")
      return
    }
    const title = template.pauses === 1 ? "FIRST_PAUSE" : "SECOND_PAUSE"
    decide(template, "PAUSED", "NONE", title, "The template is paused because of its quality.")
    timeline.after(
      millis,
      Effect.sync(() => {
        if (template.status === "PAUSED" && !template.isPacingPaused) {
          decide(template, "APPROVED", "NONE", "UNPAUSE", "The pause of the template has ended.")
        }
      })
    )
  }

  const setQuality = (template: KeptTemplate, score: string) => {
    const previous = template.quality
    template.quality = score
    template.qualityAt = timeline.now()
    tell(template, "message_template_quality_update", { previous_quality_score: previous, new_quality_score: score })
    if (score === "RED" && template.status === "APPROVED") pause(template)
  }

  const review = (template: KeptTemplate, isRejected = false) => {
    if (reviewMillis === null) return
    timeline.after(
      reviewMillis,
      Effect.sync(() => {
        if (template.status !== "PENDING") return
        if (isRejected) decide(template, "REJECTED", "INVALID_FORMAT")
        else decide(template, "APPROVED")
      })
    )
  }

  const add = (template: NewTemplate, isRejected = false): KeptTemplate => {
    const kept: KeptTemplate = {
      ...template,
      id: String(500_000_000_000_000 + world.next()),
      status: "PENDING",
      previousCategory: null,
      correctCategory: null,
      rejectedReason: "NONE",
      quality: "UNKNOWN",
      qualityAt: timeline.now(),
      createdAt: timeline.now(),
      edits: [],
      pauses: 0,
      isPacingPaused: false
    }
    world.templates.set(templateKey(kept.businessId, kept.name, kept.language), kept)
    if (kept.libraryName === null) review(kept, isRejected)
    else kept.status = "APPROVED"
    return kept
  }

  const changeCategory = (template: KeptTemplate, category: string) => {
    template.previousCategory = template.category
    template.category = category
    template.correctCategory = null
    tell(template, "template_category_update", {
      previous_category: template.previousCategory,
      new_category: category
    })
  }

  return {
    add,
    decide,
    review,
    setQuality,
    release,
    /** Holds a send until the assessment of the template ends. */
    hold: (template: KeptTemplate, send: HeldSend) => {
      held.set(template.id, [...(held.get(template.id) ?? []), send])
      if (options.pacingMillis === null) return
      timeline.after(
        options.pacingMillis ?? 1_000,
        Effect.sync(() => release(template))
      )
    },
    /** Ends the assessment with a pause, which only an unpause call ends. */
    pauseByPacing: (template: KeptTemplate) => {
      template.isPacingPaused = true
      decide(template, "PAUSED", "NONE", "RATE_LIMITING_PAUSE", "The template is paused because of early feedback.")
    },
    unpause: (template: KeptTemplate) => {
      template.isPacingPaused = false
      decide(template, "APPROVED", "NONE", "UNPAUSE", "The template is not paused any more.")
    },
    changeCategory,
    /** Announces a category change, which follows a day later. */
    announceCategory: (template: KeptTemplate, category: string) => {
      template.correctCategory = category
      const at = timeline.now() + categoryNotice
      tell(template, "template_category_update", {
        new_category: template.category,
        correct_category: category,
        category_update_timestamp: Math.floor(at / 1_000)
      })
      timeline.after(
        categoryNotice,
        Effect.sync(() => {
          if (template.correctCategory === category) changeCategory(template, category)
        })
      )
    },
    componentsChanged: (template: KeptTemplate) => {
      const partOf = (type: string) => template.components.find((component) => component["type"] === type)
      const buttons = partOf("BUTTONS")?.["buttons"]
      tell(template, "message_template_components_update", {
        // This event alone writes the language with an underscore.
        message_template_language: template.language,
        ...(partOf("HEADER")?.["text"] === undefined ? {} : { message_template_title: partOf("HEADER")?.["text"] }),
        message_template_element: partOf("BODY")?.["text"],
        ...(partOf("FOOTER") === undefined ? {} : { message_template_footer: partOf("FOOTER")?.["text"] }),
        ...(Array.isArray(buttons) ? { message_template_buttons: buttons.map(buttonInEvent) } : {})
      })
    }
  }
}
export type TemplateLife = ReturnType<typeof makeTemplateLife>

const buttonInEvent = (button: Readonly<Record<string, unknown>>) => ({
  message_template_button_type: button["type"],
  message_template_button_text: button["text"],
  ...(button["url"] === undefined ? {} : { message_template_button_url: button["url"] }),
  ...(button["phone_number"] === undefined ? {} : { message_template_button_phone_number: button["phone_number"] })
})
