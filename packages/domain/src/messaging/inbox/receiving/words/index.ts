export * from "./builtInWords.ts"
export * from "./faultsOfWords.ts"
export * from "./wordOf.ts"
export * from "./WordLists.ts"
