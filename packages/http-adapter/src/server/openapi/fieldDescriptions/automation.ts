import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `automation`, by component, operation or event, and path. */
export const automationFields: FieldDescriptions = {}
