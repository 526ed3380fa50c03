import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `integrations`, by component, operation or event, and path. */
export const integrationsFields: FieldDescriptions = {}
