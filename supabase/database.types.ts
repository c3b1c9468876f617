// Generated from supabase/migrations by `npm run types`; do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      blog_posts: { Row: { author: string; content: string; created_at: string; id: string; image_url: string | null; slug: string; title: string }; Insert: { author: string; content: string; created_at?: string; id?: string; image_url?: string | null; slug: string; title: string }; Update: { author?: string; content?: string; created_at?: string; id?: string; image_url?: string | null; slug?: string; title?: string }; Relationships: [] };
      bookings: { Row: { course_id: string; created_at: string; id: string }; Insert: { course_id: string; created_at?: string; id?: string }; Update: { course_id?: string; created_at?: string; id?: string }; Relationships: [{ foreignKeyName: "bookings_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }] };
      course_dates: { Row: { capacity: number; course_date: string; course_name: string; created_at: string; description: string | null; id: string }; Insert: { capacity?: number; course_date: string; course_name: string; created_at?: string; description?: string | null; id?: string }; Update: { capacity?: number; course_date?: string; course_name?: string; created_at?: string; description?: string | null; id?: string }; Relationships: [] };
      enquiries: { Row: { course_name: string | null; created_at: string; id: string; message: string; name: string; reply_to: string }; Insert: { course_name?: string | null; created_at?: string; id?: string; message: string; name: string; reply_to: string }; Update: { course_name?: string | null; created_at?: string; id?: string; message?: string; name?: string; reply_to?: string }; Relationships: [] };
      page_views: { Row: { id: number; page_path: string; session_id: string; viewed_at: string }; Insert: { id?: never; page_path: string; session_id: string; viewed_at?: string }; Update: { id?: never; page_path?: string; session_id?: string; viewed_at?: string }; Relationships: [] };
    };
    Views: Record<never, never>;
    Functions: {
      website_stats: { Args: { period_days?: number }; Returns: Json };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
