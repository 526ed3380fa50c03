import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `crm`, by component, operation or event, and path. */
export const crmFields: FieldDescriptions = {}
