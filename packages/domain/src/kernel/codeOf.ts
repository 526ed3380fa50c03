/** The stable code of an error: its tag in snake case. */
export const codeOf = (tag: string): string => tag.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase()
