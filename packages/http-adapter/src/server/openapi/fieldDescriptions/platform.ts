import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `platform`, by component, operation or event, and path. */
export const platformFields: FieldDescriptions = {}
