export * from "./fixtures/index.ts"
export * as InMemory from "./InMemory.ts"
export * as TestKit from "./TestKit.ts"
export * as TestSecurity from "./TestSecurity.ts"
