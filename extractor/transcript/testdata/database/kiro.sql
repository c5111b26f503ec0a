CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL, value TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (key, conversation_id));
INSERT INTO conversations_v2 VALUES ('/home/dev/shop', 'k2', '{"conversation_id":"k2","next_message":null,"history":[{"user":{"content":{"Prompt":{"prompt":"no, always use pnpm instead of npm in this repo"}}},"assistant":{"Response":{"message_id":"r","content":"Right."}}}],"model":"auto"}', 1790000001000, 1790000002000);
