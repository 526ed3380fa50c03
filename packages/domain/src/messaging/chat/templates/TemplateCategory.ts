import { Schema } from "effect"

export const TemplateCategory = Schema.Literals(["marketing", "utility", "authentication"])
export type TemplateCategory = typeof TemplateCategory.Type
