import { LibraryTemplate, MessageTemplate } from "@parley/domain/messaging"
import { DateTime, Schema } from "effect"
import type { View } from "../../console/print.ts"
import { bodyLine, buttonsLine, cardLines, footerLine, headerLine } from "./componentLines.ts"

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

const statusOf = ({ rejectionReason, statusReason, statusUntil }: MessageTemplate) => {
  const reason = rejectionReason ?? statusReason ?? ""
  return statusUntil === null ? reason : `${reason}, until ${at(statusUntil)}`
}

export const listView: View<MessageTemplate> = {
  schema: MessageTemplate,
  none: "No matching message template was found.",
  columns: [
    { heading: "ID", of: (template) => template.id },
    { heading: "NAME", of: (template) => template.name },
    { heading: "LANGUAGE", of: (template) => template.language },
    { heading: "CATEGORY", of: (template) => template.category },
    { heading: "STATUS", of: (template) => template.status },
    { heading: "QUALITY", of: (template) => template.quality },
    { heading: "REASON", of: statusOf }
  ]
}

const announced = ({ announcedCategory, categoryChangesAt }: MessageTemplate) => {
  if (announcedCategory === null) return ""
  return categoryChangesAt === null ? announcedCategory : `${announcedCategory}, at ${at(categoryChangesAt)}`
}

export const view: View<MessageTemplate> = {
  ...listView,
  columns: [
    ...listView.columns,
    { heading: "ADVICE", of: (template) => template.rejectionAdvice ?? "" },
    { heading: "QUALITY SINCE", of: (template) => at(template.qualityAt) },
    { heading: "NEXT CATEGORY", of: announced },
    { heading: "TIME TO LIVE", of: ({ timeToLive }) => (timeToLive === null ? "" : String(timeToLive)) },
    { heading: "HEADER", of: ({ components }) => headerLine(components) },
    { heading: "BODY", of: ({ components }) => bodyLine(components) },
    { heading: "FOOTER", of: ({ components }) => footerLine(components) },
    { heading: "BUTTONS", of: ({ components }) => buttonsLine(components) },
    { heading: "CARDS", of: ({ components }) => cardLines(components).join(" || ") },
    {
      heading: "VARIABLES",
      of: ({ variables }) => variables.map(({ isOptional, key }) => (isOptional === true ? `[${key}]` : key)).join(" ")
    }
  ]
}

const LibraryRow = Schema.Struct({ ...LibraryTemplate.fields, id: Schema.String })

export const libraryView: View<typeof LibraryRow.Type> = {
  schema: LibraryRow,
  none: "No matching template was found in the library.",
  columns: [
    { heading: "NAME", of: ({ name }) => name },
    { heading: "LANGUAGE", of: ({ language }) => language },
    { heading: "CATEGORY", of: ({ category }) => category },
    { heading: "TOPIC", of: ({ topic }) => topic ?? "" },
    { heading: "BODY", of: ({ body }) => body }
  ]
}
