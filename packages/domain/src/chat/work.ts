import { templateFetches } from "./refreshTemplates.ts"

/** Templates that have changed at the provider are fetched. */
export const chatWorks = [templateFetches] as const
