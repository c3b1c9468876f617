// Generated from supabase/migrations by `npm run types`; do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      blog_posts: { Row: { author: string; content: string; created_at: string; id: string; image_url: string | null; published_at: string | null; slug: string | null; title: string; updated_at: string }; Insert: { author: string; content: string; created_at?: string; id?: string; image_url?: string | null; published_at?: string | null; slug?: string | null; title: string; updated_at?: string }; Update: { author?: string; content?: string; created_at?: string; id?: string; image_url?: string | null; published_at?: string | null; slug?: string | null; title?: string; updated_at?: string }; Relationships: [] };
      bookings: { Row: { company: string | null; course_id: string; created_at: string; email: string | null; enquiry_id: string | null; id: string; name: string; note: string | null; payment_method: string | null; payment_status: string; phone: string | null; places: number; status: string; updated_at: string; updated_by: string | null }; Insert: { company?: string | null; course_id: string; created_at?: string; email?: string | null; enquiry_id?: string | null; id?: string; name: string; note?: string | null; payment_method?: string | null; payment_status?: string; phone?: string | null; places?: number; status?: string; updated_at?: string; updated_by?: string | null }; Update: { company?: string | null; course_id?: string; created_at?: string; email?: string | null; enquiry_id?: string | null; id?: string; name?: string; note?: string | null; payment_method?: string | null; payment_status?: string; phone?: string | null; places?: number; status?: string; updated_at?: string; updated_by?: string | null }; Relationships: [{ foreignKeyName: "bookings_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }, { foreignKeyName: "bookings_enquiry_id_fkey"; columns: ["enquiry_id"]; isOneToOne: false; referencedRelation: "enquiries"; referencedColumns: ["id"] }] };
      changes: { Row: { about: Json | null; act: string; actor: string; actor_email: string | null; actor_id: string | null; after: Json | null; at: string; before: Json | null; columns: string[]; id: number; kind: string; record_id: string; transaction_id: number }; Insert: { about?: Json | null; act: string; actor: string; actor_email?: string | null; actor_id?: string | null; after?: Json | null; at?: string; before?: Json | null; columns?: string[]; id?: never; kind: string; record_id: string; transaction_id?: number }; Update: { about?: Json | null; act?: string; actor?: string; actor_email?: string | null; actor_id?: string | null; after?: Json | null; at?: string; before?: Json | null; columns?: string[]; id?: never; kind?: string; record_id?: string; transaction_id?: number }; Relationships: [] };
      course_dates: { Row: { capacity: number; course_date: string; course_name: string; created_at: string; description: string | null; end_date: string | null; id: string; places_left: number | null; places_taken: number; status: string; updated_at: string }; Insert: { capacity?: number; course_date: string; course_name: string; created_at?: string; description?: string | null; end_date?: string | null; id?: string; places_left?: never; places_taken?: number; status?: string; updated_at?: string }; Update: { capacity?: number; course_date?: string; course_name?: string; created_at?: string; description?: string | null; end_date?: string | null; id?: string; places_left?: never; places_taken?: number; status?: string; updated_at?: string }; Relationships: [] };
      enquiries: { Row: { course_id: string | null; course_name: string | null; created_at: string; id: string; message: string; name: string; note: string | null; phone: string | null; places: number | null; reply_to: string; request: string | null; status: string; updated_at: string; updated_by: string | null }; Insert: { course_id?: string | null; course_name?: string | null; created_at?: string; id?: string; message: string; name: string; note?: string | null; phone?: string | null; places?: number | null; reply_to: string; request?: string | null; status?: string; updated_at?: string; updated_by?: string | null }; Update: { course_id?: string | null; course_name?: string | null; created_at?: string; id?: string; message?: string; name?: string; note?: string | null; phone?: string | null; places?: number | null; reply_to?: string; request?: string | null; status?: string; updated_at?: string; updated_by?: string | null }; Relationships: [{ foreignKeyName: "enquiries_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }] };
      staff_acts: { Row: { act: string; actor_email: string; actor_id: string; begun_at: string; done_at: string | null; id: string; member_email: string; member_id: string | null }; Insert: { act: string; actor_email: string; actor_id: string; begun_at?: string; done_at?: string | null; id?: string; member_email: string; member_id?: string | null }; Update: { act?: string; actor_email?: string; actor_id?: string; begun_at?: string; done_at?: string | null; id?: string; member_email?: string; member_id?: string | null }; Relationships: [] };
      waiting_list: { Row: { called_at: string | null; course_id: string; created_at: string; email: string | null; id: string; name: string; note: string | null; phone: string | null; places: number; position: number; updated_at: string; updated_by: string | null }; Insert: { called_at?: string | null; course_id: string; created_at?: string; email?: string | null; id?: string; name: string; note?: string | null; phone?: string | null; places?: number; position?: number; updated_at?: string; updated_by?: string | null }; Update: { called_at?: string | null; course_id?: string; created_at?: string; email?: string | null; id?: string; name?: string; note?: string | null; phone?: string | null; places?: number; position?: number; updated_at?: string; updated_by?: string | null }; Relationships: [{ foreignKeyName: "waiting_list_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }] };
    };
    Views: Record<never, never>;
    Functions: {
      apply_retention: { Args: never; Returns: Json };
      begin_staff_act: { Args: { act: string; member_id?: string; member_email?: string }; Returns: string };
      book_request: { Args: { enquiry: string; seen: string }; Returns: string };
      book_waiting: { Args: { entry: string }; Returns: string };
      calendar_feed: { Args: { key: string }; Returns: Json };
      calendar_feed_made_at: { Args: never; Returns: string };
      claim_enquiry_mails: { Args: never; Returns: Record<string, unknown>[] };
      course_removals: { Args: never; Returns: Json };
      find_people: { Args: { words: string }; Returns: Json };
      list_staff: { Args: never; Returns: Json };
      make_calendar_feed: { Args: never; Returns: string };
      move_waiting: { Args: { entry: string; up: boolean }; Returns: undefined };
      note_enquiry_mailed: { Args: { enquiry_id: string; kind?: string }; Returns: undefined };
      own_sessions: { Args: never; Returns: Json };
      post_image_uses: { Args: { image_name: string }; Returns: string[] };
      posts_expire_at: { Args: never; Returns: string };
      record_opt_out: { Args: { client_network?: string }; Returns: undefined };
      record_page_views: { Args: { views: Json }; Returns: string[] };
      remove_calendar_feed: { Args: never; Returns: undefined };
      request_place: { Args: { id: string; course_id: string; name: string; places: number; email?: string; phone?: string; message?: string; client_network?: string }; Returns: string };
      search_bookings: { Args: { words: string; before: string }; Returns: Json };
      search_portal: { Args: { words: string; rest?: string; days?: string[]; courses?: string[] }; Returns: Json };
      send_enquiry: { Args: { id: string; name: string; reply_to: string; message: string; course_name?: string; client_network?: string }; Returns: string };
      undo_delete: { Args: { kind: string; record_id: string; onto?: string; address?: string }; Returns: number };
      website_stats: { Args: { period_days: number; pages?: Json; post_prefix?: string }; Returns: Record<string, unknown>[] };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
