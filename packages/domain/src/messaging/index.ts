export * from "./chat/index.ts"
export * from "./inbox/index.ts"
